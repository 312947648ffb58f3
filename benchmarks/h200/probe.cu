// One memory instruction a kernel: lane i accesses the byte offset lanes.at[i], or takes no part where it is negative.
#include <cstdint>

struct Lanes {
  int at[32];
};

extern __shared__ __align__(1024) unsigned char tile[];

__device__ uint32_t shared_address(int offset) { return static_cast<uint32_t>(__cvta_generic_to_shared(tile)) + offset; }

#define SHARED_LOAD(NAME, TYPE, SUFFIX, CONSTRAINT)                                                     \
  extern "C" __global__ void NAME(Lanes lanes, unsigned char *out) {                                    \
    int offset = lanes.at[threadIdx.x];                                                                 \
    if (offset < 0) return;                                                                             \
    TYPE value;                                                                                         \
    asm volatile("ld.shared." SUFFIX " %0, [%1];" : "=" CONSTRAINT(value) : "r"(shared_address(offset)) : "memory"); \
    if (value == static_cast<TYPE>(0x45)) out[threadIdx.x] = 1;                                      \
  }
SHARED_LOAD(ld1, uint16_t, "u8", "h")
SHARED_LOAD(ld2, uint16_t, "u16", "h")
SHARED_LOAD(ld4, uint32_t, "u32", "r")
SHARED_LOAD(ld8, uint64_t, "u64", "l")
extern "C" __global__ void ld16(Lanes lanes, unsigned char *out) {
  int offset = lanes.at[threadIdx.x];
  if (offset < 0) return;
  uint32_t a, b, c, d;
  asm volatile("ld.shared.v4.u32 {%0,%1,%2,%3}, [%4];" : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "r"(shared_address(offset)) : "memory");
  if ((a ^ b ^ c ^ d) == 0x12345) out[threadIdx.x] = 1;
}

#define SHARED_STORE(NAME, TYPE, SUFFIX, CONSTRAINT)                                                    \
  extern "C" __global__ void NAME(Lanes lanes, unsigned char *out) {                                    \
    int offset = lanes.at[threadIdx.x];                                                                 \
    if (offset < 0) return;                                                                             \
    asm volatile("st.shared." SUFFIX " [%0], %1;" ::"r"(shared_address(offset)), CONSTRAINT(static_cast<TYPE>(offset)) : "memory"); \
  }
SHARED_STORE(st1, uint16_t, "u8", "h")
SHARED_STORE(st2, uint16_t, "u16", "h")
SHARED_STORE(st4, uint32_t, "u32", "r")
SHARED_STORE(st8, uint64_t, "u64", "l")
extern "C" __global__ void st16(Lanes lanes, unsigned char *out) {
  int offset = lanes.at[threadIdx.x];
  if (offset < 0) return;
  asm volatile("st.shared.v4.u32 [%0], {%1,%1,%1,%1};" ::"r"(shared_address(offset)), "r"(offset) : "memory");
}

extern "C" __global__ void ldsm1(Lanes lanes, unsigned char *out) {
  uint32_t a;
  asm volatile("ldmatrix.sync.aligned.x1.m8n8.shared.b16 {%0}, [%1];" : "=r"(a) : "r"(shared_address(lanes.at[threadIdx.x])) : "memory");
  if (a == 0x12345) out[threadIdx.x] = 1;
}
extern "C" __global__ void ldsm2(Lanes lanes, unsigned char *out) {
  uint32_t a, b;
  asm volatile("ldmatrix.sync.aligned.x2.m8n8.shared.b16 {%0,%1}, [%2];" : "=r"(a), "=r"(b) : "r"(shared_address(lanes.at[threadIdx.x])) : "memory");
  if ((a ^ b) == 0x12345) out[threadIdx.x] = 1;
}
#define LDSM4(NAME, SUFFIX)                                                                             \
  extern "C" __global__ void NAME(Lanes lanes, unsigned char *out) {                                    \
    uint32_t a, b, c, d;                                                                                \
    asm volatile("ldmatrix.sync.aligned.x4" SUFFIX ".m8n8.shared.b16 {%0,%1,%2,%3}, [%4];"              \
                 : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "r"(shared_address(lanes.at[threadIdx.x])) : "memory"); \
    if ((a ^ b ^ c ^ d) == 0x12345) out[threadIdx.x] = 1;                                               \
  }
LDSM4(ldsm4, "")
LDSM4(ldsm4t, ".trans")

extern "C" __global__ void stsm1(Lanes lanes, unsigned char *out) {
  asm volatile("stmatrix.sync.aligned.x1.m8n8.shared.b16 [%0], {%1};" ::"r"(shared_address(lanes.at[threadIdx.x])), "r"(threadIdx.x) : "memory");
}
extern "C" __global__ void stsm2(Lanes lanes, unsigned char *out) {
  asm volatile("stmatrix.sync.aligned.x2.m8n8.shared.b16 [%0], {%1,%1};" ::"r"(shared_address(lanes.at[threadIdx.x])), "r"(threadIdx.x) : "memory");
}
extern "C" __global__ void stsm4(Lanes lanes, unsigned char *out) {
  asm volatile("stmatrix.sync.aligned.x4.m8n8.shared.b16 [%0], {%1,%1,%1,%1};" ::"r"(shared_address(lanes.at[threadIdx.x])), "r"(threadIdx.x) : "memory");
}

#define ASYNC_COPY(NAME, KIND, BYTES, SOURCE)                                                           \
  extern "C" __global__ void NAME(Lanes lanes, unsigned char *out) {                                    \
    int offset = lanes.at[threadIdx.x];                                                                 \
    if (offset >= 0)                                                                                    \
      asm volatile("cp.async." KIND ".shared.global [%0], [%1], " #BYTES ";" ::"r"(shared_address(offset)), "l"(out + SOURCE) : "memory"); \
    asm volatile("cp.async.wait_all;" ::: "memory");                                                    \
  }
ASYNC_COPY(cp4, "ca", 4, threadIdx.x * 4)
ASYNC_COPY(cp8, "ca", 8, threadIdx.x * 8)
ASYNC_COPY(cp16, "cg", 16, threadIdx.x * 16)
// From rows of 64 bytes, 256 apart.
ASYNC_COPY(cp16rows, "cg", 16, (threadIdx.x / 4 * 256 + threadIdx.x % 4 * 16))

extern "C" __global__ void atom4(Lanes lanes, unsigned char *out) {
  int offset = lanes.at[threadIdx.x];
  if (offset < 0) return;
  asm volatile("red.shared.add.u32 [%0], %1;" ::"r"(shared_address(offset)), "r"(threadIdx.x) : "memory");
}

#define GLOBAL_LOAD(NAME, TYPE, SUFFIX, CONSTRAINT)                                                     \
  extern "C" __global__ void NAME(Lanes lanes, unsigned char *out) {                                    \
    int offset = lanes.at[threadIdx.x];                                                                 \
    if (offset < 0) return;                                                                             \
    TYPE value;                                                                                         \
    asm volatile("ld.global." SUFFIX " %0, [%1];" : "=" CONSTRAINT(value) : "l"(out + offset) : "memory"); \
    if (value == static_cast<TYPE>(0x45)) tile[threadIdx.x] = 1;                                     \
  }
GLOBAL_LOAD(gld1, uint16_t, "u8", "h")
GLOBAL_LOAD(gld2, uint16_t, "u16", "h")
GLOBAL_LOAD(gld4, uint32_t, "u32", "r")
GLOBAL_LOAD(gld8, uint64_t, "u64", "l")
extern "C" __global__ void gld16(Lanes lanes, unsigned char *out) {
  int offset = lanes.at[threadIdx.x];
  if (offset < 0) return;
  uint32_t a, b, c, d;
  asm volatile("ld.global.v4.u32 {%0,%1,%2,%3}, [%4];" : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "l"(out + offset) : "memory");
  if ((a ^ b ^ c ^ d) == 0x12345) tile[threadIdx.x] = 1;
}
extern "C" __global__ void gst4(Lanes lanes, unsigned char *out) {
  int offset = lanes.at[threadIdx.x];
  if (offset < 0) return;
  asm volatile("st.global.u32 [%0], %1;" ::"l"(out + offset), "r"(offset) : "memory");
}
extern "C" __global__ void gst16(Lanes lanes, unsigned char *out) {
  int offset = lanes.at[threadIdx.x];
  if (offset < 0) return;
  asm volatile("st.global.v4.u32 [%0], {%1,%1,%1,%1};" ::"l"(out + offset), "r"(offset) : "memory");
}
