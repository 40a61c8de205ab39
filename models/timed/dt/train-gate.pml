/*
 * The train gate: the gate is down whenever a train crosses the road.
 *
 * From: R. Alur, D. Dill, A theory of timed automata, Theoretical Computer
 *       Science 126, 1994, section 7; named among the examples in chapter 4 of
 *       D. Bosnacki's thesis.
 *
 * A train signals its approach, is on the crossing IN_MIN to IN_MAX ticks
 * later, and leaves STAY ticks after that at most. The controller takes REACT
 * ticks to have the gate lowered when the first train comes near and raised
 * when the last one has left. The gate takes up to DOWN ticks to come down and
 * UP ticks to go up; it obeys a new order at any time.
 *
 * As ../train-gate.pml, in DT Promela: the timers are built in, each in the
 * process that uses it. Spin reads it with -DABSTRACT_TIMERS and the header
 * beside it.
 *
 * Symmetric in the trains.
 *
 * Parameters: TRAINS (2), each on a track of its own; IN_MIN (3), IN_MAX (4),
 *             STAY (1), REACT (1), DOWN (1), UP (2).
 *
 * Expect: no errors when IN_MIN > REACT + DOWN; assertion violated with
 *         -DIN_MIN=2.
 *   safe         holds.
 *   time-passes  holds.
 *   opens        (the gate is open again and again) violated with and without
 *                weak fairness: a train may come back before the gate is quite
 *                open, or another one be near all the time.
 */

#ifndef TRAINS
#define TRAINS 2
#endif
#ifndef IN_MIN
#define IN_MIN 3
#endif
#ifndef IN_MAX
#define IN_MAX 4
#endif
#ifndef STAY
#define STAY 1
#endif
#ifndef REACT
#define REACT 1
#endif
#ifndef DOWN
#define DOWN 1
#endif
#ifndef UP
#define UP 2
#endif

#include "dt.h"

mtype = { approach, leave, lower, raise };
mtype = { open, closing, closed, opening };

chan signal = [0] of { mtype };         /* train to controller */
chan order  = [0] of { mtype };         /* controller to gate */

mtype gate = open;
byte crossing;                          /* trains on the crossing */

proctype Train()
{
	timer clock;

	do
	:: udelay(clock);
	   signal!approach;
	   bdelay(clock, IN_MIN, IN_MAX);
	   crossing++;
	   assert(gate == closed);
	   bdelay(clock, 0, STAY);
	   crossing--;
	   signal!leave;
	   delay(clock, 1)
	od
}

proctype Controller()
{
	timer clock;
	byte near;
	mtype s, todo = raise, last = raise;

	do
	:: signal?s ->
	   atomic {
		if
		:: s == approach -> near++
		:: else -> near--
		fi;
		s = 0;
		if
		:: near == 1 && todo == raise -> todo = lower; set(clock, REACT)
		:: near == 0 -> todo = raise; set(clock, REACT)
		:: else
		fi
	   }
	:: expire(clock) ->
	   reset(clock);
	   if
	   :: todo != last -> order!todo; last = todo
	   :: else
	   fi
	od
}

proctype Gate()
{
	timer clock;

	do
	:: order?lower -> atomic {
		gate = closing;
		if
		:: set(clock, 0)
		:: set(clock, DOWN)
		fi
	   }
	:: order?raise -> atomic { gate = opening; set(clock, UP) }
	:: atomic { expire(clock) ->
		reset(clock);
		if
		:: gate == closing -> gate = closed
		:: gate == opening -> gate = open
		fi
	   }
	od
}

init
{
	byte i;

	atomic {
		for (i : 0 .. TRAINS - 1) {
			run Train()
		}
		run Controller();
		run Gate();
		i = 0
	}
}

ltl safe        { [] (crossing > 0 -> gate == closed) }
ltl opens       { [] <> (gate == open) }
