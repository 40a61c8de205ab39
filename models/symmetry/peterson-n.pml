/*
 * Peterson's algorithm for N processes (the filter lock).
 *
 * From: G. L. Peterson, Myths about the mutual exclusion problem, Information
 *       Processing Letters 12(3), 1981; used in D. Bosnacki, D. Dams,
 *       L. Holenderski, Symmetric Spin (chapter 6 of Bosnacki's thesis), table
 *       1, and in D. Bosnacki, A nested depth first search algorithm for model
 *       checking with symmetry reduction, 2002, table 2.
 *
 * A process climbs N - 1 steps. On each it writes its step into its flag and
 * its name into the step's turn, and waits until it is not the last one who
 * wrote there, or until nobody else is as high. As in the source, that wait
 * looks at all processes in one step, which keeps the model symmetric.
 *
 * Symmetric in the processes: me, turn[] and the index of flag[] are names.
 *
 * Parameters: N, the number of processes (3).
 *
 * Expect: no errors.
 *   mutex      holds.
 *   no_starve  violated without fairness; holds with weak fairness.
 * The table's states without reduction (its model differs in details): N=2
 *   263, N=3 11318, N=4 542921; with pc-segmented representatives 134, 1976,
 *   24383.
 * Size: 3407 states without reduction.
 */

#ifndef N
#define N 3
#endif

byte flag[N];                   /* the step that a process stands on, 0 if none */
byte turn[N] = N;               /* who came last to a step 1 .. N-1, N if nobody */
byte inside;

proctype P(byte me)
{
	byte step, j;
	bool alone;

	do
	:: step = 1;
try:	   do
	   :: step < N ->
	      flag[me] = step;
	      turn[step] = me;
wait:	      atomic {
		alone = true;
		for (j : 0 .. N - 1) {
			if
			:: j != me && flag[j] >= step -> alone = false
			:: else
			fi
		}
		j = 0;
		if
		:: alone || turn[step] != me -> alone = false
		:: else -> goto wait
		fi
	      };
	      step++
	   :: else -> break
	   od;
	   inside++;
crit:	   assert(inside == 1);
	   inside--;
	   flag[me] = 0
	od
}

init
{
	byte i;

	atomic {
		for (i : 0 .. N - 1) {
			run P(i)
		}
		i = 0
	}
}

ltl mutex     { [] (inside <= 1) }
ltl no_starve { [] (P[1]@try -> <> P[1]@crit) }
