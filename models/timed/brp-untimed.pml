/*
 * The bounded retransmission protocol without time.
 *
 * From: L. Helmink, M. P. A. Sellink, F. Vaandrager, Proof-checking a data link
 *       protocol, 1994; J. F. Groote, J. van de Pol, A bounded retransmission
 *       protocol for large data packets, AMAST 1996; used for comparison in
 *       chapter 4 of D. Bosnacki's thesis, table 4.
 *
 * As brp-timed.pml, but the timers are replaced by what they find out: the
 * sender's by a global variable that a channel sets when it loses something,
 * the receiver's by a global variable with which the sender gives up.
 *
 * Parameters: CHUNKS, chunks of a file (3); RETRIES (2).
 *             With -DCLIENT the receiver hands each chunk to a client, which
 *             does something with it meanwhile: something to put off.
 *             With -DEARLY the sender may time out when nothing was lost, and
 *             the protocol is wrong.
 *
 * Expect: no errors; with -DEARLY, assertion violated.
 *   completes  violated with and without weak fairness: all may be lost.
 *   honest     holds: a file that was reported as sent has arrived.
 * The table's states without and with partial-order reduction (its model
 *   differs in details): 199454/113566.
 * Size: 280 states without reduction.
 */

#ifndef CHUNKS
#define CHUNKS 3
#endif
#ifndef RETRIES
#define RETRIES 2
#endif

mtype = { nothing, ok, not_ok, dont_know };

#ifdef CLIENT
chan get = [0] of { byte };             /* chunks for the receiving client */
#endif
chan F = [0] of { byte, bit };          /* frames: chunk number and bit */
chan G = [0] of { byte, bit };          /* frames behind the channel */
chan A = [0] of { bit };                /* acknowledgements */
chan B = [0] of { bit };                /* and behind the channel */

bool lost;                              /* something was lost: the timer will run out */
bool gave_up;                           /* the sender is silent for long */
bool complete;                          /* the receiver has this whole file */
mtype outcome = nothing;

#ifdef EARLY
#define TIMER_RUNS_OUT true
#else
#define TIMER_RUNS_OUT lost
#endif

active proctype Sender()
{
	byte i = 1, tries;
	bit ab;

	do
	:: F!i,ab;
	   if
	   :: atomic { B?_ ->
		ab = 1 - ab;
		tries = 0;
		if
		:: i < CHUNKS -> i++
		:: else ->
		   i = 1;
		   outcome = ok
		fi
	      }
	   :: atomic { TIMER_RUNS_OUT ->
		lost = false;
		if
		:: tries < RETRIES -> tries++
		:: tries == RETRIES && i == CHUNKS -> outcome = dont_know
		:: tries == RETRIES && i < CHUNKS -> outcome = not_ok
		fi
	      }
	   fi;
	   if
	   :: outcome == nothing
	   :: outcome == ok ->
	      assert(complete);
	      atomic { complete = false; outcome = nothing }
	   :: outcome == not_ok || outcome == dont_know ->
	      assert(outcome != not_ok || !complete);
	      gave_up = true;                   /* let the receiver notice */
	      atomic { !gave_up ->
		i = 1; tries = 0; ab = 0;
		complete = false; outcome = nothing
	      }
	   fi
	od
}

active proctype Receiver()
{
	byte i, got;                            /* chunk received, last good one */
	bit b, want;
	bool started;

	do
	:: atomic { G?i,b ->
		if
		:: !started -> want = b; started = true
		:: else
		fi;
		if
		:: b == want ->
		   assert(i == got + 1);        /* in order, none missing */
		   got = i;
		   if
		   :: i == CHUNKS -> complete = true; got = 0
		   :: else
		   fi;
		   want = 1 - want
		:: else                         /* seen before */
		fi;
		i = 0
	   };
#ifdef CLIENT
	   get!got;
#endif
	   A!b
	:: atomic { gave_up ->
		got = 0; b = 0; want = 0; started = false;
		gave_up = false
	   }
	od
}

/* the channels: what they carry may be lost */
active proctype K()
{
	byte i;
	bit b;

end:	do
	:: F?i,b;
	   if
	   :: G!i,b
	   :: lost = true
	   fi
	od
}

active proctype L()
{
	bit b;

end:	do
	:: A?b;
	   if
	   :: B!b
	   :: lost = true
	   fi
	od
}

#ifdef CLIENT
active proctype Client()
{
	byte chunk;

end:	do
	:: get?chunk;
	   chunk = 0
	od
}
#endif

ltl completes { [] <> complete }
ltl honest    { [] (outcome == ok -> complete) }
