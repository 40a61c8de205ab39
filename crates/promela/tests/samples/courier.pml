/* Messages over a channel that loses some, with acknowledgements. */
#define SIZE 2
#define LOSES(c) c?_,_,_

mtype = { data, ack, nak };
mtype:colour = { red, green };

typedef Packet { byte number; bool last; unsigned sum : 4 }
typedef Window { Packet packets[SIZE]; chan reply }

chan line = [SIZE] of { mtype, byte, bool };
chan back = [1] of { mtype, byte };
hidden byte scratch;
mtype:colour light = red;
int table[3] = { 1, 2, 3 };

inline deliver(kind, value) {
	if
	:: nfull(line) -> line!kind(value, value == 2)
	:: full(line) -> LOSES(line)
	fi
}

inline square(n) { return n * n }

proctype sender(byte first; chan answer) priority 2 {
	byte i, n = first;
	short s;
	for (i : 0 .. 2) {
		deliver(data, i + n)
	}
	do
	:: answer?ack(eval(n)) -> n++; break
	:: answer?nak,_ -> d_step { n = (n > 3 -> 0 : n + 1); s = square(n) }
	:: timeout -> goto end
	od unless { light == green }
end:	printf("%d of %e\n", s, light)
}

active proctype receiver() provided (light != green) {
	mtype m;
	byte v;
	bool b;
	Window w;
	select (v : 0 .. 3);
	w.packets[0].number = v;
accept_any: progress:
	do
	:: line??[data, 1, 0] && len(line) > 1 -> line??data,v,b; back!ack(v)
	:: atomic { line?<m, v, b>; line?m,v,b; back!nak,v }
	:: empty(line) -> light = green; break
	:: else -> skip
	od
}

init {
	pid p;
	atomic {
		p = run sender(table[0], back) priority 3;
		set_priority(p, get_priority(p) + 1)
	}
	(_nr_pr == 2 && receiver[1]@accept_any)
}

never claim {
	do
	:: !(sender[3]:n < 9) || np_ -> break
	:: enabled(1) && pc_value(1) > 0
	od
}

trace { do :: line!data :: line?data od }

ltl answered { [] (len(line) > 0 -> <> (len(line) == 0)) && (light == red U light == green) }
