/*
 * A lock-free stack and the ABA problem.
 *
 * From: R. K. Treiber, Systems programming: coping with parallelism, IBM
 *       RJ 5118, 1986; the problem is described in the IBM System/370
 *       Principles of Operation.
 *
 * A node is popped by reading the top and its successor, and then replacing
 * the top by the successor with compare-and-swap. If, between the reading and
 * the swap, others pop that node and a second one and push the first one back,
 * the top is the same node again but its successor is not: the swap succeeds
 * and puts a node on the stack that somebody else owns.
 *
 * Parameters: T, the number of threads (2); NODES, nodes on the stack (3);
 *             ROUNDS, how often a thread pops two nodes and pushes them back (1).
 *             With -DTAGGED the top carries a counter that every successful
 *             swap increases, and the stack is correct.
 *
 * Expect: assertion violated (a node with two owners); with -DTAGGED, no errors.
 * Size: 5687 states without reduction.
 */

#ifndef T
#define T 2
#endif
#ifndef NODES
#define NODES 3
#endif
#ifndef ROUNDS
#define ROUNDS 1
#endif

#define NIL NODES

byte top;                               /* node 0 is on top at first */
byte next[NODES];
bool owned[NODES];                      /* a thread holds this node */
#ifdef TAGGED
byte tag;
#define READ_TAG   ; seen_tag = tag
#define SAME_TAG   && tag == seen_tag
#define NEW_TAG    ; tag++
#else
#define READ_TAG
#define SAME_TAG
#define NEW_TAG
#endif

/* pop into "mine", NIL when the stack is empty */
inline pop(mine)
{
	do
	:: d_step { mine = top READ_TAG };
	   if
	   :: mine == NIL -> break
	   :: else
	   fi;
	   succ = next[mine];
	   if
	   :: atomic { top == mine SAME_TAG ->
	        top = succ NEW_TAG;
	        succ = 0;
	        assert(!owned[mine]);
	        owned[mine] = true
	      };
	      break
	   :: else                      /* somebody was faster: again */
	   fi
	od
}

inline push(mine)
{
	do
	:: d_step { succ = top READ_TAG };
	   next[mine] = succ;
	   if
	   :: atomic { top == succ SAME_TAG ->
	        owned[mine] = false;
	        top = mine NEW_TAG;
	        mine = 0; succ = 0
	      };
	      break
	   :: else
	   fi
	od
}

proctype Thread()
{
	byte a, b, succ, round;
#ifdef TAGGED
	byte seen_tag;
#endif

	do
	:: round < ROUNDS ->
	   round++;
	   pop(a);
	   pop(b);
	   if
	   :: a != NIL -> push(a)
	   :: else
	   fi;
	   if
	   :: b != NIL -> push(b)
	   :: else
	   fi
	:: else -> break
	od
}

init
{
	byte i;

	atomic {
		for (i : 0 .. NODES - 1) {
			next[i] = i + 1
		}
		for (i : 1 .. T) {
			run Thread()
		}
		i = 0
	}
}
