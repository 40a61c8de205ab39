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
 * Time: a timer counts down to 0, where it expires, and -1 is off. The process
 * Timers lets one unit of time pass when nothing else can happen.
 *
 * Symmetric in the trains.
 *
 * Parameters: TRAINS (2), each on a track of its own; IN_MIN (3), IN_MAX (4),
 *             STAY (1), REACT (1), DOWN (1), UP (2).
 *
 * Expect: no errors when IN_MIN > REACT + DOWN; assertion violated with
 *         -DIN_MIN=2.
 *   safe         holds.
 *   time_passes  holds.
 *   opens        (the gate is open again and again) violated with and without
 *                weak fairness: a train may come back before the gate is quite
 *                open, or another one be near all the time.
 * Size: 2335 states without reduction.
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

#define timer       short
#define set(t, v)   t = v
#define reset(t)    t = -1
#define expire(t)   (t == 0)
#define delay(t, v) set(t, v); expire(t)
#define udelay(t)   do :: delay(t, 1) :: break od

/* any delay from "least" to "most" ticks */
#define delay_between(t, least, most)                             \
	atomic { select(k : least .. most); set(t, k); k = 0 };   \
	expire(t)

mtype = { approach, leave, lower, raise };
mtype = { open, closing, closed, opening };

timer train_clock[TRAINS] = -1, control_clock = -1, gate_clock = -1;

chan signal = [0] of { mtype };         /* train to controller */
chan order  = [0] of { mtype };         /* controller to gate */

mtype gate = open;
byte crossing;                          /* trains on the crossing */

proctype Train(byte me)
{
	byte k;

	do
	:: udelay(train_clock[me]);
	   signal!approach;
	   delay_between(train_clock[me], IN_MIN, IN_MAX);
	   crossing++;
	   assert(gate == closed);
	   delay_between(train_clock[me], 0, STAY);
	   crossing--;
	   signal!leave;
	   delay(train_clock[me], 1)
	od
}

proctype Controller()
{
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
		:: near == 1 && todo == raise -> todo = lower; set(control_clock, REACT)
		:: near == 0 -> todo = raise; set(control_clock, REACT)
		:: else
		fi
	   }
	:: expire(control_clock) ->
	   reset(control_clock);
	   if
	   :: todo != last -> order!todo; last = todo
	   :: else
	   fi
	od
}

proctype Gate()
{
	do
	:: order?lower -> atomic {
		gate = closing;
		if
		:: set(gate_clock, 0)
		:: set(gate_clock, DOWN)
		fi
	   }
	:: order?raise -> atomic { gate = opening; set(gate_clock, UP) }
	:: atomic { expire(gate_clock) ->
		reset(gate_clock);
		if
		:: gate == closing -> gate = closed
		:: gate == opening -> gate = open
		fi
	   }
	od
}

proctype Timers()
{
	byte i;

end:	do
	:: timeout ->
now:	   atomic {
		for (i : 0 .. TRAINS - 1) {
			if
			:: train_clock[i] >= 0 -> train_clock[i]--
			:: else
			fi
		}
		i = 0;
		if :: control_clock >= 0 -> control_clock-- :: else fi;
		if :: gate_clock >= 0 -> gate_clock-- :: else fi
	   }
	od
}

init
{
	byte i;

	atomic {
		for (i : 0 .. TRAINS - 1) {
			run Train(i)
		}
		run Controller();
		run Gate();
		run Timers();
		i = 0
	}
}

ltl safe        { [] (crossing > 0 -> gate == closed) }
ltl time_passes { [] <> Timers@now }
ltl opens       { [] <> (gate == open) }
