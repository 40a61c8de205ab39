byte x;
#define STEP x = x + 1
inline helper() {
	assert(x == 2)
}
