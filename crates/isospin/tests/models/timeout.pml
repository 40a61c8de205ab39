/* timeout, else, unless and goto; deterministic. */
byte x;
chan q = [1] of { byte };

active proctype P()
{
	byte m;
again:
	if
	:: q?m -> printf("got %d\n", m)
	:: timeout -> printf("waited\n"); x++;
	   if
	   :: x < 3 -> goto again
	   :: else -> printf("enough\n")
	   fi
	fi;
	{ printf("normal\n"); x = 9; x = 10 } unless { x == 9 -> printf("escaped\n") }
}
