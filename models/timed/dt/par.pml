/*
 * PAR: positive acknowledgement with retransmission, in DT Promela.
 *
 * From: A. S. Tanenbaum, Computer networks, Prentice Hall; in discrete time by
 *       D. Bosnacki and D. Dams, Integrating real time into Spin: a prototype
 *       implementation, FORTE/PSTV 1998 (chapter 4 of Bosnacki's thesis,
 *       section 3.2, which gives the source).
 *
 * The sender repeats a frame when no acknowledgement came within TO ticks.
 * The bit of the alternating-bit protocol is on the frames only, not on the
 * acknowledgements: an early timeout therefore loses data. The sender repeats
 * a frame that was not lost, two acknowledgements come back, and the second
 * one is taken for that of the next frame, which may have been lost.
 *
 * As ../par.pml, with the built-in timers: no process has to let time pass.
 *
 * Spin reads it with dt.h, which stands beside it.
 *
 * Parameters: DK (3) and DL (3), the delays of the two channels; DR (1), the
 *             receiver's time for a message; TO (9), the sender's timeout;
 *             MAX, the number of different messages (8). SCALE (1) multiplies
 *             all four times.
 *
 * Expect: no errors as long as TO > DK + DR + DL; assertion violated with
 *         -DTO=6, for example.
 *   time-passes  holds: no cycle without a tick.
 *   delivered    violated with and without weak fairness: all may be lost.
 * The table's states without and with partial-order reduction: 1318/1116; times
 *   10: 7447/7295; times 100: 68737/68585.
 */

#ifndef SCALE
#define SCALE 1
#endif
#ifndef DK
#define DK 3
#endif
#ifndef DL
#define DL 3
#endif
#ifndef DR
#define DR 1
#endif
#ifndef TO
#define TO 9
#endif
#ifndef MAX
#define MAX 8
#endif

#include "dt.h"

timer sc, rc, xk, xl;

#define TIMERS(each, sep) each(sc) sep each(rc) sep each(xk) sep each(xl)
LET_TIME_PASS

chan A = [0] of { byte, bit };          /* sender to K */
chan B = [0] of { byte, bit };          /* K to receiver */
chan C = [0] of { bit };                /* receiver to L */
chan D = [0] of { bit };                /* L to sender */

proctype Sender()
{
	byte mt;
	bit sn;

next:	udelay(sc);                             /* a message, at any time */
	mt = (mt + 1) % MAX;
again:	A!mt,sn;
	set(sc, TO * SCALE);
	do
	:: D?_ ->
	   if
	   :: atomic { skip; delay(sc, 1); sn = 1 - sn; goto next }
	   :: goto again                        /* damaged acknowledgement */
	   fi
	:: expire(sc) -> goto again
	od
}

proctype Receiver()
{
	byte mr, me = 1;                        /* received, expected */
	bit rsn, esn;

next:	B?mr,rsn;
	if
	:: rsn == esn -> goto new
	:: rsn == 1 - esn -> goto reply
	:: goto next                            /* damaged message */
	fi;
new:	assert(mr == me);
	atomic { delay(rc, DR * SCALE); esn = 1 - esn; me = (me + 1) % MAX };
reply:	C!1;
	atomic { delay(rc, 1); goto next }
}

proctype K()
{
	byte d;
	bit b;

end:	do
	:: A?d,b;
	   delay(xk, DK * SCALE);
	   if
	   :: skip; B!d,b
	   :: skip                              /* lost */
	   fi
	od
}

proctype L()
{
end:	do
	:: C?_;
	   delay(xl, DL * SCALE);
	   if
	   :: skip; D!1
	   :: skip
	   fi
	od
}

init
{
	atomic {
		run Sender();
		run K();
		run L();
		run Receiver()
	}
}

ltl delivered   { [] <> Receiver@new }
