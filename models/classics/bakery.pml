/*
 * Lamport's bakery algorithm: mutual exclusion by taking numbers.
 *
 * From: L. Lamport, A new solution of Dijkstra's concurrent programming
 *       problem, CACM 17(8), 1974.
 *
 * The numbers grow without bound; here a process that would draw a number
 * above LIMIT lowers its hand and waits until nobody holds LIMIT, which makes
 * the model finite.
 *
 * Parameters: N, customers (2); LIMIT, the highest number drawn (5).
 *             With -DNO_DOOR the doorway (the flag "choosing") is left out, and
 *             mutual exclusion is lost.
 *
 * Expect: no errors; with -DNO_DOOR, assertion violated.
 *   mutex      holds.
 *   no_starve  violated without fairness; holds with weak fairness for N = 2.
 * Progress (label progress_crit): no non-progress cycle, with or without weak
 *   fairness.
 * Size: 6248 states without reduction.
 */

#ifndef N
#define N 2
#endif
#ifndef LIMIT
#define LIMIT 5
#endif

bool choosing[N];
byte number[N];
byte inside;

active [N] proctype Customer()
{
	byte j, max;

try:
#ifndef NO_DOOR
	choosing[_pid] = true;
#endif
	max = 0;
	for (j : 0 .. N - 1) {                  /* one read at a time */
		if
		:: number[j] > max -> max = number[j]
		:: else
		fi
	}
	if
	:: max == LIMIT ->
	   choosing[_pid] = false;
	   max = 0;
	   for (j : 0 .. N - 1) {
		number[j] < LIMIT
	   }
	   goto try
	:: else
	fi;
	number[_pid] = max + 1;
	max = 0;
	choosing[_pid] = false;
	for (j : 0 .. N - 1) {
		!choosing[j];
		(number[j] == 0 || number[j] > number[_pid] ||
		 (number[j] == number[_pid] && j >= _pid))
	}
	inside++;
progress_crit:
	assert(inside == 1);
	inside--;
	number[_pid] = 0;
	goto try
}

ltl mutex     { [] (inside <= 1) }
ltl no_starve { [] (Customer[0]@try -> <> Customer[0]@progress_crit) }
