/*
 * Two-phase commit: either all participants commit or all abort.
 *
 * From: J. N. Gray, Notes on data base operating systems, LNCS 60, 1978.
 *
 * The coordinator asks everyone to prepare, collects the votes, decides, and
 * tells everyone. If it crashes, a participant that has voted yes must wait:
 * two-phase commit blocks, which is its known weakness.
 *
 * Parameters: N, the number of participants (3).
 *             With -DCRASH the coordinator may crash.
 *
 * Expect: no errors; with -DCRASH, invalid end states (blocked participants)
 *         but agreement still holds.
 *   agreement  holds, with and without -DCRASH.
 *   decided    holds, without fairness; with -DCRASH violated.
 *   commits    violated: an abort is possible.
 * Size: 1937 states without reduction.
 */

#ifndef N
#define N 3
#endif

mtype = { prepare, yes, no, commit, abort };

chan to[N]  = [1] of { mtype };
chan reply = [N] of { mtype };

byte committed, aborted;

active [N] proctype Participant()
{
	to[_pid]?prepare;
	if
	:: reply!yes;
	   if
	   :: to[_pid]?commit -> committed++
	   :: to[_pid]?abort  -> aborted++
	   fi
	:: atomic { reply!no; aborted++ };     /* may abort on its own */
	   to[_pid]?abort
	fi
}

active proctype Coordinator()
{
	byte i, votes;
	mtype v, decision = commit;

	for (i : 0 .. N - 1) {
		to[i]!prepare
	}
	do
	:: votes < N ->
	   reply?v;
	   votes++;
	   if
	   :: v == no -> decision = abort
	   :: else
	   fi
#ifdef CRASH
	:: goto crashed
#endif
	:: votes == N -> break
	od;
	for (i : 0 .. N - 1) {
		to[i]!decision
#ifdef CRASH
		; if :: goto crashed :: skip fi
#endif
	}
#ifdef CRASH
crashed:
	skip
#endif
}

ltl agreement { [] !(committed > 0 && aborted > 0) }
ltl decided   { <> (committed + aborted == N) }
ltl commits   { <> (committed == N) }
