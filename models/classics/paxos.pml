/*
 * Paxos: one decision, agreed on by a majority of acceptors (single decree).
 *
 * From: L. Lamport, The part-time parliament, ACM TOCS 16(2), 1998; Paxos made
 *       simple, ACM SIGACT News 32(4), 2001.
 *
 * A proposer uses its own ballot once. It asks all acceptors to prepare, takes
 * over the value of the highest ballot that a majority has told it of, and
 * asks them to accept it. An acceptor keeps its promise not to take part in
 * lower ballots. Requests are answered in one step; a message is lost when an
 * acceptor never gets round to it. Messages are never removed, as in Lamport's
 * own specification: an acceptor may read an old one at any time.
 *
 * Parameters: A, acceptors (3); P, proposers (2). Proposer p has ballot p + 1
 *             and would like the value p + 1.
 *             With -DNO_PROMISE the acceptors forget what they promised, and
 *             two values can be chosen.
 *
 * Expect: no errors; with -DNO_PROMISE, assertion violated.
 *   agreement  holds: two values are never chosen.
 *   decided    violated with and without weak fairness: nobody has to answer,
 *              and competing ballots may spoil each other.
 * Size: 1408 states without reduction.
 */

#ifndef A
#define A 3
#endif
#ifndef P
#define P 2
#endif
#define MAJORITY (A / 2 + 1)

#ifdef NO_PROMISE
#define KEEPS_PROMISE true
#else
#define KEEPS_PROMISE (b >= promised)
#endif

typedef Ballot {
	bool prepared;                  /* "prepare" was sent */
	byte value;                     /* "accept" with this value was sent */
	byte promises;                  /* promises received */
	byte best;                      /* highest ballot reported in them */
	byte best_value;
	byte accepted                   /* acceptors that accepted */
}

Ballot ballot[P + 1];                   /* ballots 1 .. P */
byte chosen;                            /* the first value chosen, 0 if none */

active [P] proctype Proposer()
{
	byte b = _pid + 1;

	ballot[b].prepared = true;
	ballot[b].promises >= MAJORITY;
	if
	:: ballot[b].best > 0  -> ballot[b].value = ballot[b].best_value
	:: ballot[b].best == 0 -> ballot[b].value = b
	fi
}

active [A] proctype Acceptor()
{
	byte promised, voted, value;    /* ballots, and the value voted for */
	byte b;

end:	do
	:: atomic {
	     select(b : 1 .. P);
	     if
	     :: ballot[b].prepared && b > promised ->
	        promised = b;
	        if
	        :: ballot[b].value == 0 ->      /* the proposer still listens */
	           ballot[b].promises++;
	           if
	           :: voted > ballot[b].best ->
	              ballot[b].best = voted;
	              ballot[b].best_value = value
	           :: else
	           fi
	        :: else
	        fi
	     :: ballot[b].value > 0 && b > voted && KEEPS_PROMISE ->
	        promised = b;
	        voted = b;
	        value = ballot[b].value;
	        ballot[b].accepted++;
	        if
	        :: ballot[b].accepted == MAJORITY ->
	           assert(chosen == 0 || chosen == value);
	           chosen = value
	        :: else
	        fi
	     :: else                            /* nothing to do for b */
	     fi;
	     b = 0
	   }
	od
}

ltl agreement { [] (chosen == 1 -> [] (chosen == 1)) }
ltl decided   { <> (chosen > 0) }
