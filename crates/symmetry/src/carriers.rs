//! What holds names, for people.

use isospin_model::{Model, ProcTypeId};

use crate::family::Domain;
use crate::flow::Flow;
use crate::sorts::Sorts;

/// What holds or is indexed by the names of a domain, for people.
pub fn carriers(model: &Model, flows: &[Flow], sorts: &Sorts, domain: &Domain) -> Vec<String> {
    let node = domain.sort.unwrap_or(sorts.pid());
    let mut out = Vec::new();
    let full_name = |slot: &isospin_model::Slot, dims: &[u32]| {
        let mut dims = dims.iter();
        let mut name = String::new();
        for (k, segment) in slot.path.iter().enumerate() {
            name += if k > 0 { "." } else { "" };
            name += &segment.name;
            if segment.array.is_some() {
                name += if dims.next() == Some(&node) { "[name]" } else { "[]" };
            }
        }
        name
    };
    for (k, slot) in model.layout.slots.iter().enumerate() {
        let dims = sorts.global_dims(k);
        let holds = sorts.global(k) == node;
        if holds || dims.contains(&node) {
            let name = full_name(slot, &dims);
            out.push(if holds { format!("{name} = name") } else { name });
        }
    }
    for (array, index) in sorts.channel_arrays() {
        if index == node && array.owner.is_none() {
            let name = &model.layout.channels[usize::from(array.first)].name;
            let name = name.split('[').next().unwrap_or(name);
            out.push(format!("{name}[name]"));
        }
    }
    for (ty, flow) in flows.iter().enumerate() {
        let ty = ProcTypeId(ty as u16);
        for (k, slot) in flow.proctype.frame.slots.iter().enumerate() {
            let dims = sorts.local_dims(ty, k);
            let holds =
                (0..flow.locations).any(|l| flow.live[l][k] && sorts.local(ty, k, l) == node);
            if holds || dims.contains(&node) {
                let name = format!("{}.{}", flow.proctype.name, full_name(slot, &dims));
                out.push(if holds { format!("{name} = name") } else { name });
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::detect::detect;
    use isospin_model::text;

    #[test]
    fn variables_arrays_and_channels_carry_names() {
        let model = text::read(
            "active [2] P
             bit flag[2] byte turn byte plain int table[2].seen[3]
             channel box[0] = [1] of { byte } channel box[1] = [1] of { byte }
             process P() {
               byte other
               location 0 flag[_pid] = plain == 1 -> 1
               location 1 turn = _pid -> 2
               location 2 other = turn -> 3
               location 3 send &box[other] (1) -> 4
               location 4 table[other].seen[plain % 3] = 1 -> 0
             }",
        );
        let model = model.unwrap_or_else(|error| panic!("{error}"));
        let detection = detect(&Arc::new(model), &[]);
        let [report] = &detection.domains[..] else { panic!("one set of names") };
        assert_eq!(
            report.carriers,
            ["flag[name]", "turn = name", "table[name].seen[]", "box[name]", "P.other = name"]
        );
    }
}
