/* Millions of states. */
int a, b, c, d;

active proctype A() { do :: a < 100 -> a++ :: a > 0 -> a-- od }
active proctype B() { do :: b < 100 -> b++ :: b > 0 -> b-- od }
active proctype C() { do :: c < 100 -> c++ :: c > 0 -> c-- od }
active proctype D() { do :: d < 100 -> d++ :: d > 0 -> d-- od }
