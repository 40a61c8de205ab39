/*
 * The sieve of Eratosthenes as a growing line of processes.
 *
 * From: M. D. McIlroy's coroutine sieve, in C. A. R. Hoare's Communicating
 *       sequential processes, CACM 21(8), 1978.
 *
 * The first number that reaches a process is prime, and the process keeps it.
 * It passes on what that prime does not divide. The first number that it
 * passes on makes it start the next process. Each new process makes its own
 * inbox and returns it in a message, so that channels travel through channels.
 *
 * Parameters: MAX, the largest number that is tried (20); CAP, the capacity
 *             of each inbox (1).
 *
 * Expect: no errors; the count of primes is checked by an assertion.
 *   finished  holds, without fairness.
 * Size: 85507 states without reduction.
 */

#ifndef MAX
#define MAX 20
#endif
#ifndef CAP
#define CAP 1
#endif

#define STOP 0

byte primes;                            /* primes found so far */
byte last_prime;
bool over;

proctype Sieve(chan answer)
{
	chan inbox = [CAP] of { byte };
	chan hello = [0] of { chan };
	chan next;
	byte mine, n;
	bool has_next;

	xr inbox;

	answer!inbox;                   /* tell the one before where to send */
	inbox?mine;
	atomic {
		assert(mine > last_prime);
		last_prime = mine;
		primes++
	};
	do
	:: inbox?n;
	   if
	   :: n == STOP -> break
	   :: n != STOP && n % mine == 0
	   :: n != STOP && n % mine != 0 ->
	      if
	      :: !has_next ->
	         run Sieve(hello);
	         hello?next;
	         has_next = true
	      :: else
	      fi;
	      next!n
	   fi
	od;
	if
	:: has_next -> next!STOP
	:: else -> over = true
	fi
}

init
{
	chan hello = [0] of { chan };
	chan first;
	byte n;

	run Sieve(hello);
	hello?first;
	for (n : 2 .. MAX) {
		first!n
	}
	first!STOP;
	over;
#if MAX == 20
	assert(primes == 8)
#endif
}

ltl finished { <> over }
