/*
 * Fischer's protocol: mutual exclusion by timing, in discrete time.
 *
 * From: M. Fischer, as told in L. Lamport, A fast mutual exclusion algorithm,
 *       ACM TOCS 5(1), 1987; used in chapter 4 of D. Bosnacki's thesis,
 *       table 1.
 *
 * One shared variable says whose turn it is. A process that finds it free
 * writes its name there within SET ticks, waits WAIT ticks, and enters if its
 * name is still there. WAIT > SET makes sure that nobody who saw the variable
 * free can still write after the wait.
 *
 * Time: a timer counts down to 0, where it expires, and -1 is off. The process
 * Timers lets one unit of time pass when nothing else can happen.
 *
 * Symmetric in the processes, timers included.
 *
 * Parameters: N, the number of processes (3); SET (1), the longest time between
 *             reading and writing; WAIT (2); STAY (1), the longest time in the
 *             critical section.
 *
 * Expect: no errors when WAIT > SET; assertion violated with -DWAIT=1.
 *   mutex        holds.
 *   time_passes  holds: no cycle without a tick.
 *   no_starve    violated with and without weak fairness.
 * The table's states without and with partial-order reduction (built-in ticks,
 *   local timers, other parameters): N=2 528/378, N=3 8425/3813, N=4
 *   128286/34157.
 * Size: 2140 states without reduction.
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

#define timer       short   /* -1: off */
#define set(t, v)   t = v
#define expire(t)   (t == 0)
#define delay(t, v) set(t, v); expire(t)

#define NOBODY N

timer clock[N] = -1;
byte turn = NOBODY;
byte inside;

/* any delay from 0 to "most" ticks */
#define delay_up_to(t, most)                                  \
	atomic { select(k : 0 .. most); set(t, k); k = 0 };   \
	expire(t)

proctype P(byte me)
{
	byte k;

	do
	:: turn == NOBODY ->
	   delay_up_to(clock[me], SET);
	   turn = me;
	   delay(clock[me], WAIT);
	   if
	   :: turn == me ->
	      inside++;
	      assert(inside == 1);
crit:	      delay_up_to(clock[me], STAY);
	      inside--;
	      turn = NOBODY;
	      delay(clock[me], 1)               /* rest */
	   :: else
	   fi
	od
}

proctype Timers()
{
	byte i;

end:	do
	:: timeout ->
now:	   atomic {
		for (i : 0 .. N - 1) {
			if
			:: clock[i] >= 0 -> clock[i]--
			:: else
			fi
		}
		i = 0
	   }
	od
}

init
{
	byte i;

	atomic {
		for (i : 0 .. N - 1) {
			run P(i)
		}
		run Timers();
		i = 0
	}
}

ltl mutex       { [] (inside <= 1) }
ltl time_passes { [] <> Timers@now }
ltl no_starve   { [] <> P[1]@crit }
