/* Which sources this library was compiled from: build.py passes their hash. */
#ifndef FINGERPRINT
#define FINGERPRINT ""
#endif
const char kernel_fingerprint[33] = FINGERPRINT;
