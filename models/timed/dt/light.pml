/*
 * A light that goes out by itself: a first model with timers.
 *
 * Whoever presses the button has light for STAY ticks. The visitor presses it,
 * stays for VISIT ticks, and expects to leave in the dark.
 *
 * Parameters: STAY (5); VISIT (7). With -DTALK the light tells a controller that
 *             it is on, again and again, which takes no time: a zero cycle.
 *
 * Expect: no errors when VISIT > STAY; assertion violated with -DVISIT=4.
 *   time-passes  holds; violated with -DTALK.
 *   goes_out     holds.
 */

#include "dt.h"

#ifndef STAY
#define STAY 5
#endif
#ifndef VISIT
#define VISIT 7
#endif

chan button = [0] of { bit };
bool on;
#ifdef TALK
bit told;
#endif

active proctype Light()
{
	timer left;

end:	do
	:: button?_ -> on = true; set(left, STAY)
	:: expire(left) -> on = false; reset(left)
#ifdef TALK
	:: on -> told = 1 - told
#endif
	od
}

active proctype Visitor()
{
	timer clock;

	button!1;
	delay(clock, VISIT);
	assert(!on)
}

ltl goes_out { [] (on -> <> !on) }
