/* What printf prints; deterministic, so that Spin prints the same. */
mtype = { red, green };
mtype colour = green;
int n = -7;
byte wraps = 250;
short s = 32767;
unsigned u : 4 = 15;
chan q = [3] of { mtype, int };

proctype Child(byte id)
{
	int i;
	mtype m;
	do
	:: q?m(i) -> printf("child %d got %e %d\n", id, m, i)
	:: empty(q) && i > 2 -> break
	od
}

init {
	int k;
	printf("%d %u %x %o %c %e %%\n", n, 7, 255, 8, 65, colour);
	printm(colour);
	printf("\n");
	wraps = wraps + 10;
	s++;
	u++;
	printf("wraps %d s %d u %d\n", wraps, s, u);
	printf("div %d mod %d shift %d %d\n", n / 2, n % 3, 1 << 4, n >> 1);
	for (k : 1 .. 3) {
		q!red(k)
	}
	printf("len %d\n", len(q));
	run Child(7);
	(_nr_pr == 1);
	d_step {
		k = 0;
		do
		:: k < 3 -> k++; printf("step %d\n", k)
		:: else -> break
		od
	}
	printf("end k=%d\n", k)
}
