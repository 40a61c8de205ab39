/*
 * DT Promela for Spin.
 *
 * Isospin knows the type timer and what is done with it; for Isospin this file
 * defines nothing. For Spin it defines them, in one of two ways.
 *
 * Without more, timers are numbers and count. They have to be global. The model
 * lists them once, whatever they are called, and then lets time pass:
 *
 *     #include "dt.h"
 *     timer a, b[2];
 *     #define TIMERS(each, sep) each(a) sep each(b[0]) sep each(b[1])
 *     LET_TIME_PASS
 *
 * A timer is 0 where it is off, 1 where it has expired, and one more than the
 * time that is left: so all timers are off at the start. Ask for the time that
 * is left with LEFT(t). Another process that waits for timeout competes with
 * time; there Spin and Isospin differ.
 *
 * With -DABSTRACT_TIMERS, timers are truth values, and one that runs may expire
 * at any time (D. Bosnacki's thesis, chapter 5, section 3.3). They may be local,
 * and time need not pass.
 */

#ifdef __ISOSPIN__

#define LET_TIME_PASS
#define LEFT(t)		(t)

#else

#ifdef ABSTRACT_TIMERS

#define timer		bool
#define set(t, v)	t = true
#define reset(t)	t = false
#define expire(t)	(t == true)
#define bdelay(t, a, b)	delay(t, a)
#define LET_TIME_PASS

#else

#define timer		int
#define set(t, v)	t = (v) + 1
#define reset(t)	t = 0
#define expire(t)	(t == 1)
#define bdelay(t, a, b)						\
	atomic { set(t, a); do :: t <= (b) -> t++ :: break od };	\
	expire(t)
#define LEFT(t)		((t) - 1)

#define runs_(t)	(t > 0)
#define tick_(t)	if :: t > 0 -> t-- :: else fi

#define LET_TIME_PASS						\
	active proctype Timers()					\
	{								\
	end:	do							\
		:: d_step {						\
			(timeout && (TIMERS(runs_, ||)));		\
			TIMERS(tick_, ;)				\
		   }							\
		od							\
	}

#endif

#define delay(t, v)	set(t, v); expire(t)
#define udelay(t)	do :: delay(t, 1) :: break od

#endif
