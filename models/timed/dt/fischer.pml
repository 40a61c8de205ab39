/*
 * Fischer's protocol: mutual exclusion by timing, in DT Promela.
 *
 * From: M. Fischer, as told in L. Lamport, A fast mutual exclusion algorithm,
 *       ACM TOCS 5(1), 1987; used in chapter 4 of D. Bosnacki's thesis,
 *       table 1.
 *
 * As ../fischer.pml, with the built-in timers: each process has one of its own,
 * and no process has to let time pass. Spin reads it with -DABSTRACT_TIMERS and
 * the header beside it.
 *
 * Parameters: N, the number of processes (3); SET (1), the longest time between
 *             reading and writing; WAIT (2); STAY (1), the longest time in the
 *             critical section.
 *
 * Expect: no errors when WAIT > SET; assertion violated with -DWAIT=1.
 *   time-passes  holds: no cycle without a tick.
 *   mutex        holds.
 *   no_starve    violated with and without weak fairness.
 * The table's states without and with partial-order reduction (other
 *   parameters): N=2 528/378, N=3 8425/3813, N=4 128286/34157.
 */

#ifndef N
#define N 3
#endif
#ifndef SET
#define SET 1
#endif
#ifndef WAIT
#define WAIT 2
#endif
#ifndef STAY
#define STAY 1
#endif

#include "dt.h"

#define NOBODY N

byte turn = NOBODY;
byte inside;

proctype P(byte me)
{
	timer clock;

	do
	:: turn == NOBODY ->
	   bdelay(clock, 0, SET);
	   turn = me;
	   delay(clock, WAIT);
	   if
	   :: turn == me ->
	      inside++;
	      assert(inside == 1);
crit:	      bdelay(clock, 0, STAY);
	      inside--;
	      turn = NOBODY;
	      delay(clock, 1)                   /* rest */
	   :: else
	   fi
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
ltl no_starve { [] <> P[1]@crit }
