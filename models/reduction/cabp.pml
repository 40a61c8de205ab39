/*
 * The concurrent alternating-bit protocol: six processes, rendez-vous only.
 *
 * From: the protocol is known from C. P. J. Koymans, J. C. Mulder, A modular
 *       approach to protocol verification using process algebra, 1990; used in T. Basten,
 *       D. Bosnacki, M. Geilen, Cluster-based partial-order reduction (chapter
 *       2 of Bosnacki's thesis), figure 4.
 *
 *  Source --> A --> K --> B --> Sink
 *             ^           |
 *             D <-- L <-- C
 *
 * A sends its datum through K over and over, without waiting, until D tells it
 * that the acknowledgement has come. B hands a new datum to the environment
 * (the sink) and tells C, which sends the acknowledgement through L over and over. K and
 * L may lose or corrupt what they carry; B and D recognise what is corrupt.
 *
 * Every step is a rendez-vous on a global channel, so ample sets of single
 * processes save nothing; the clusters {A}, {K, B}, {C}, {L, D} save a fifth.
 *
 * Parameters: none. The data are 0, 1, 2 in turn: an odd number, so that they
 *             do not go in step with the bit.
 *
 * Expect: no errors; data arrive in the order in which A took them.
 *   delivered  violated with and without weak fairness: K may lose everything.
 * The table's states, with ample sets of processes / with clusters (its model
 *   differs from this one in details): 16384/12897.
 * Size: 205 states without reduction.
 */

chan toK = [0] of { byte, bit };        /* datum, bit */
chan toB = [0] of { byte, bit, bool };  /* datum, bit, intact */
chan toC = [0] of { bit };
chan toL = [0] of { bit };
chan toD = [0] of { bit, bool };        /* bit, intact */
chan toA = [0] of { bit };
chan in  = [0] of { byte };
chan out = [0] of { byte };

active proctype Source()
{
	do
	:: in!0; in!1; in!2
	od
}

active proctype A()
{
	byte d;
	bit b;

	in?d;
	do
	:: toK!d,b                              /* once more */
	:: toA?eval(b);                         /* acknowledged: the next datum */
	   atomic { in?d; b = 1 - b }
	od
}

active proctype K()
{
	byte d;
	bit b;

	do
	:: toK?d,b;
	   if
	   :: toB!d,b,true
	   :: toB!0,0,false                     /* corrupted */
	   fi
	:: toK?_,_                              /* lost */
	od
}

active proctype B()
{
	byte d;
	bit want;

	do
	:: atomic { toB?d,eval(want),true -> want = 1 - want };
	   out!d;                               /* new: for the environment */
	   toC!(1 - want)
	:: toB?_,eval(1 - want),true            /* seen before */
	:: toB?_,_,false                        /* corrupt */
	od
}

active proctype C()
{
	bit b = 1;                              /* nothing received yet */

	do
	:: toC?b                                /* the next acknowledgement */
	:: toL!b                                /* the same once more */
	od
}

active proctype L()
{
	bit b;

	do
	:: toL?b;
	   if
	   :: toD!b,true
	   :: toD!0,false                       /* corrupted */
	   fi
	:: toL?_                                /* lost */
	od
}

active proctype D()
{
	bit want;

	do
	:: atomic { toD?eval(want),true -> want = 1 - want };
	   toA!(1 - want)
	:: toD?eval(1 - want),true              /* seen before */
	:: toD?_,false                          /* corrupt */
	od
}

active proctype Sink()
{
	byte got, expected;

	do
	:: atomic {
		out?got;
		assert(got == expected);
		expected = (expected + 1) % 3;
		got = 0
	   }
	od
}

ltl delivered { [] <> (Sink:expected == 0) && [] <> (Sink:expected == 1) }
