/*
 * The initialization protocol: nobody starts its main part before all have
 * finished their initial parts, although no shared variable has a known value
 * at first.
 *
 * From: W. H. J. Feijen, A. J. M. van Gasteren, On a method of
 *       multiprogramming, Springer 1999; used in D. Bosnacki, D. Dams,
 *       L. Holenderski, Symmetric Spin (chapter 6 of Bosnacki's thesis),
 *       table 3. The n-fold version below is worked out from the idea for two.
 *
 * For two machines: after its initial part a machine first sets to false the
 * variable in which it expects the other's signal, and then waits for true;
 * meanwhile it sets its own signal to true over and over, because the other
 * may wipe it out by its first step, and once more after its wait. Here the
 * repeating is the task of the machine's co-component, for all others.
 *
 * Symmetric: one set of names, two families of processes (components and their
 * co-components) that share it.
 *
 * Parameters: N, the number of machines (3). With -DNO_CLEAR a machine does not
 *             set the variables to false first, and the protocol is wrong.
 *
 * Expect: no errors (each machine asserts, before its main part, that all have
 *         finished their initial parts); with -DNO_CLEAR, assertion violated.
 *   all_start  violated without fairness. Violated with weak fairness too: a
 *              co-component may for ever repeat the signals that are not needed.
 * Size: 18347 states without reduction.
 */

#ifndef N
#define N 3
#endif

typedef Row { bool from[N] }

Row heard[N];                   /* heard[p].from[q]: q's signal to p */
bool up[N];                     /* p and its co-component: initial part done */
bool over[N];                   /* p has ended its wait */
byte finished;                  /* initial parts finished, for the assertion */
byte started;                   /* main parts started, for the property */

proctype Component(byte me)
{
	byte q;
	bool all;

	finished++;                             /* the initial part */
#ifndef NO_CLEAR
	atomic {
		for (q : 0 .. N - 1) {
			heard[me].from[q] = false
		}
		q = 0
	};
#endif
	up[me] = true;
wait:	atomic {
		all = true;
		for (q : 0 .. N - 1) {
			if
			:: q != me && !heard[me].from[q] -> all = false
			:: else
			fi
		}
		q = 0;
		if
		:: all -> all = false
		:: else -> goto wait
		fi
	};
	over[me] = true;
	assert(finished == N);
	started++                               /* the main part */
}

proctype CoComponent(byte me)
{
	byte q;

	up[me];
	do
	:: atomic {                             /* signal to somebody */
		select(q : 0 .. N - 1);
		heard[q].from[me] = true;
		q = 0
	   }
	:: over[me] -> break
	od;
	atomic {                                /* and once more to all */
		for (q : 0 .. N - 1) {
			heard[q].from[me] = true
		}
		q = 0
	}
}

init
{
	byte p, q;

	atomic {
		for (p : 0 .. N - 1) {          /* any values at all */
			for (q : 0 .. N - 1) {
				if
				:: q != p -> heard[p].from[q] = true
				:: true
				fi
			}
		}
		for (p : 0 .. N - 1) {
			run Component(p)
		}
		for (p : 0 .. N - 1) {
			run CoComponent(p)
		}
		p = 0; q = 0
	}
}

ltl all_start { <> (started == N) }
