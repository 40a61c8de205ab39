/*
 * The election of a leader in Raft, without logs.
 *
 * From: D. Ongaro, J. Ousterhout, In search of an understandable consensus
 *       algorithm, USENIX ATC 2014, section 5.2.
 *
 * A server that hears nothing starts a new term, votes for itself and asks the
 * others for votes. A server votes once in a term. A majority makes a leader.
 * Messages stay in the inboxes in order; the network may also lose them, which
 * a server does by dropping what is first in its inbox.
 *
 * Parameters: N, servers (3); TERMS, terms that are tried, at least 2 (2).
 *             With -DFORGET a server may forget its vote (as after a restart
 *             without stable storage), and safety is lost.
 *
 * Expect: no errors; with -DFORGET, assertion violated (two leaders in a term).
 *   safe     holds: no term has two leaders.
 *   elected  violated: votes may split in every term, or get lost.
 * Size: 45756 states without reduction.
 */

#ifndef N
#define N 3
#endif
#ifndef TERMS
#define TERMS 2
#endif
#define MAJORITY (N / 2 + 1)
#define NOBODY   N

mtype = { ask, vote };

chan inbox[N] = [N] of { mtype, byte, byte };   /* kind, term, sender */
byte leaders[TERMS + 1];                        /* leaders of a term */

active [N] proctype Server()
{
	byte term, voted = NOBODY, votes;
	byte t, who;

end:	do
	:: atomic { term < TERMS ->                     /* the timer ran out */
	     term++;
	     voted = _pid;
	     votes = 1;
	     for (who : 0 .. N - 1) {
	       if
	       :: who != _pid && len(inbox[who]) < N -> inbox[who]!ask(term, _pid)
	       :: else                                  /* lost */
	       fi
	     }
	     who = 0
	   }
	:: atomic { inbox[_pid]?ask(t, who) ->
	     if
	     :: t > term -> term = t; voted = NOBODY; votes = 0
	     :: else
	     fi;
	     if
	     :: t == term && (voted == NOBODY || voted == who) && len(inbox[who]) < N ->
	        voted = who;
	        inbox[who]!vote(t, _pid)
	     :: else
	     fi;
	     t = 0; who = 0
	   }
	:: atomic { inbox[_pid]?vote(t, who) ->
	     if
	     :: t == term && voted == _pid && votes > 0 ->
	        votes++;
	        if
	        :: votes == MAJORITY ->
	           leaders[term]++;
	           assert(leaders[term] == 1);
	           votes = 0                            /* counts no more */
	        :: else
	        fi
	     :: else
	     fi;
	     t = 0; who = 0
	   }
	:: inbox[_pid]?_,_,_                            /* lost on the way */
#ifdef FORGET
	:: atomic { voted != NOBODY && votes == 0 -> voted = NOBODY }
#endif
	od
}

ltl safe    { [] (leaders[1] <= 1 && leaders[2] <= 1) }
ltl elected { <> (leaders[1] == 1 || leaders[2] == 1) }
