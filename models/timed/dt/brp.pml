/*
 * The bounded retransmission protocol, in DT Promela.
 *
 * From: L. Helmink, M. P. A. Sellink, F. Vaandrager, Proof-checking a data link
 *       protocol, 1994; with timing in P. R. D'Argenio, J.-P. Katoen, T. Ruys,
 *       J. Tretmans, The bounded retransmission protocol must be on time!,
 *       TACAS 1997; used in chapter 4 of D. Bosnacki's thesis, table 3.
 *
 * A file is sent in chunks over lossy channels, one at a time, with an
 * alternating bit. A chunk is repeated at most RETRIES times. Then the sender
 * gives up and says so: "not ok", or "don't know" when only the last chunk is
 * without an answer. The receiver knows that the sender gave up by hearing
 * nothing for T2 ticks; the sender waits as long before the next file.
 *
 * As ../brp-timed.pml, with the built-in timers, each in the process that uses
 * it. Spin reads it with -DABSTRACT_TIMERS and the header beside it.
 *
 * Parameters: CHUNKS, chunks of a file (3); RETRIES (2); TD (1), the longest
 *             delay of a channel; T1, the sender's timeout, more than 2 * TD;
 *             T2, the receiver's, at least 2 * RETRIES * T1 + 3 * TD.
 *             With -DHURRY the next file is there at once, and because a channel
 *             may be quick there is a cycle in which no time passes.
 *
 * Expect: no errors; assertion violated with -DT1=2 (the sender repeats what is
 *         still under way) and with -DT2=6 (the receiver gives up too early).
 *   time-passes  holds; with -DHURRY violated.
 *   completes    (files are delivered again and again) violated with and
 *                without weak fairness: all may be lost.
 * The table's states without and with partial-order reduction: 32967/12742.
 */

#ifndef CHUNKS
#define CHUNKS 3
#endif
#ifndef RETRIES
#define RETRIES 2
#endif
#ifndef TD
#define TD 1
#endif
#ifndef T1
#define T1 (2 * TD + 1)
#endif
#ifndef T2
#define T2 (2 * RETRIES * T1 + 3 * TD)
#endif

#include "dt.h"

#ifdef HURRY
#define REST skip
#else
#define REST delay(st, 1)
#endif

mtype = { nothing, ok, not_ok, dont_know };

chan F = [0] of { byte, bit };          /* frames: chunk number and bit */
chan G = [0] of { byte, bit };          /* frames behind the channel */
chan A = [0] of { bit };                /* acknowledgements */
chan B = [0] of { bit };                /* and behind the channel */

bool complete;                          /* the receiver has this whole file */
bool ready = true;                      /* the receiver waits for a new file */

proctype Sender()
{
	timer st;
	byte i, tries;
	bit ab;
	mtype outcome = nothing;

file:	complete = false;
	outcome = nothing;
	i = 1;
chunk:	tries = 0;
again:	F!i,ab;
	set(st, T1);
	if
	:: B?_ ->
	   reset(st);
	   ab = 1 - ab;
	   if
	   :: i < CHUNKS -> i++; goto chunk
	   :: else -> outcome = ok
	   fi
	:: expire(st) ->
	   if
	   :: tries < RETRIES -> tries++; goto again
	   :: tries == RETRIES && i == CHUNKS -> outcome = dont_know
	   :: tries == RETRIES && i < CHUNKS -> outcome = not_ok
	   fi
	fi;
	assert(outcome != ok || complete);
	assert(outcome != not_ok || !complete);
	if
	:: outcome == ok -> REST                /* the next file takes a while */
	:: outcome != ok ->                     /* let the receiver notice */
	   delay(st, T2 + 1);
	   assert(ready);
	   ab = 0
	fi;
	goto file
}

proctype Receiver()
{
	timer rt;
	byte i, got;                            /* chunk received, last good one */
	bit b, want;

fresh:	G?i,b;                                  /* a new file, whatever its bit */
	want = b;
good:	atomic {
		ready = false;
		assert(i == got + 1);           /* in order, none missing */
		got = i;
		if
		:: i == CHUNKS -> complete = true; got = 0
		:: else
		fi;
		want = 1 - want
	};
reply:	A!b;
	set(rt, T2);
	if
	:: G?i,b ->
	   if
	   :: b == want -> goto good
	   :: b != want -> goto reply           /* seen before */
	   fi
	:: expire(rt) ->                        /* the sender has given up, or is done */
	   atomic { got = 0; i = 0; b = 0; want = 0; ready = true };
	   goto fresh
	fi
}

/* the channels: a message takes up to TD ticks, and may be lost */
proctype K()
{
	timer kt;
	byte i;
	bit b;

end:	do
	:: F?i,b;
	   if
	   :: set(kt, 0)
	   :: set(kt, TD)
	   fi;
	   do
	   :: expire(kt) -> break
	   :: F?_,_ -> assert(false)            /* still busy */
	   od;
	   reset(kt);
	   if
	   :: G!i,b
	   :: skip                              /* lost */
	   fi;
	   atomic { i = 0; b = 0 }
	od
}

proctype L()
{
	timer lt;
	bit b;

end:	do
	:: A?b;
	   if
	   :: set(lt, 0)
	   :: set(lt, TD)
	   fi;
	   do
	   :: expire(lt) -> break
	   :: A?_ -> assert(false)
	   od;
	   reset(lt);
	   if
	   :: B!b
	   :: skip
	   fi;
	   b = 0
	od
}

init
{
	atomic {
		run Sender();
		run Receiver();
		run K();
		run L()
	}
}

ltl completes   { [] <> complete }
