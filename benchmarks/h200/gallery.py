"""The gallery's GPU kernels against torch, on a CUDA GPU of compute capability 9.0.

    python benchmarks/h200/gallery.py

Prints for each kernel the largest error relative to the largest value of the result; exit code 1 where one is too
large.
"""

from __future__ import annotations

import importlib.util
import math
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import torch

EXAMPLES = Path(__file__).parents[2] / "examples/gpu"
HALF = 2e-2
"""What half precision and another order of additions may differ by, relative to the largest value."""


def example(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # TileLang reads the source of a kernel through its module
    spec.loader.exec_module(module)
    return module


def normal(*shape: int, dtype: torch.dtype = torch.float16, scale: float = 1.0) -> torch.Tensor:
    return (torch.randn(shape, device="cuda") * scale).to(dtype)


def empty(*shape: int, dtype: torch.dtype = torch.float16) -> torch.Tensor:
    return (
        torch.full(shape, math.nan, device="cuda").to(dtype)
        if dtype.is_floating_point
        else torch.zeros(shape, dtype=dtype, device="cuda")
    )


def difference(result: torch.Tensor, reference: torch.Tensor) -> float:
    """The largest error, relative to the largest value; not a number where the result has one."""
    result, reference = result.double(), reference.double()
    return float((result - reference).abs().max() / reference.abs().max())


def softmax_attention(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, mask: torch.Tensor | None) -> torch.Tensor:
    """Tensors (..., rows, dim) in float32."""
    scores = q.float() @ k.float().transpose(-1, -2) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    return scores.softmax(-1) @ v.float()


def gemm() -> float:
    M, N, K = 1024, 2048, 512
    a, b, c = normal(M, K), normal(K, N), empty(M, N)
    example("gemm").gemm_relu(M, N, K)(a, b, c)
    return difference(c, (a.float() @ b.float()).relu())


def gemm_split_k() -> float:
    M, N, K = 256, 256, 4096
    a, b, c = normal(M, K), normal(K, N), torch.zeros(M, N, device="cuda")
    example("gemm_split_k").gemm_split_k(M, N, K)(a, b, c)
    return difference(c, a.float() @ b.float())


def gemm_grouped() -> float:
    tiles, N, K, experts = 16, 512, 256, 8
    a = normal(tiles * 128, K, dtype=torch.bfloat16)
    b = normal(experts, N, K, dtype=torch.bfloat16)
    of = torch.randint(0, experts, (tiles,), dtype=torch.int32, device="cuda")
    c = empty(tiles * 128, N, dtype=torch.bfloat16)
    example("gemm_grouped").gemm_grouped(tiles, N, K, experts)(a, b, of, c)
    rows = a.float().view(tiles, 128, K)
    return difference(c, torch.einsum("tmk,tnk->tmn", rows, b.float()[of.long()]).reshape(tiles * 128, N))


def gemm_int4() -> float:
    M, N, K = 128, 512, 512
    a, scales, c = normal(M, K), normal(K // 64, N, scale=0.1), empty(M, N)
    packed = torch.randint(0, 256, (N, K // 2), dtype=torch.uint8, device="cuda")
    example("gemm_int4").gemm_int4(M, N, K)(a, packed, scales, c)
    nibbles = torch.stack([packed & 15, packed >> 4], dim=-1).reshape(N, K).float() - 8
    return difference(c, a.float() @ (nibbles * scales.float().T.repeat_interleave(64, dim=1)).T)


def gemm_fp8_scaled() -> float:
    M, N, K = 512, 1024, 1024
    a, b = (normal(rows, K, dtype=torch.float8_e4m3fn) for rows in (M, N))
    row_scales = torch.rand(K // 128, M, device="cuda")
    block_scales = torch.rand(N // 128, K // 128, device="cuda")
    c = empty(M, N, dtype=torch.bfloat16)
    example("gemm_fp8_scaled").gemm_fp8_scaled(M, N, K)(a, b, row_scales, block_scales, c)
    scaled_a = a.float() * row_scales.T.repeat_interleave(128, dim=1)
    scaled_b = b.float() * block_scales.repeat_interleave(128, dim=0).repeat_interleave(128, dim=1)
    return difference(c, scaled_a @ scaled_b.T)


def attention() -> float:
    batch, heads, kv_heads, length, dim = 2, 8, 2, 1024, 128
    q = normal(batch, length, heads, dim, dtype=torch.bfloat16)
    k, v = (normal(batch, length, kv_heads, dim, dtype=torch.bfloat16) for _ in range(2))
    output = empty(batch, length, heads, dim, dtype=torch.bfloat16)
    example("attention").attention(batch, heads, kv_heads, length, dim)(q, k, v, output)
    wide = [x.repeat_interleave(heads // kv_heads, dim=2).transpose(1, 2) for x in (k, v)]
    mask = torch.ones(length, length, dtype=torch.bool, device="cuda").tril()
    return difference(output, softmax_attention(q.transpose(1, 2), *wide, mask).transpose(1, 2))


def attention_decoding() -> float:
    batch, heads, kv_heads, cached, dim, parts = 4, 32, 8, 2048, 128, 8
    q = normal(batch, heads, dim)
    k, v = (normal(batch, cached, kv_heads, dim) for _ in range(2))
    part_output = empty(batch, heads, parts, dim, dtype=torch.float32)
    part_log, output = empty(batch, heads, parts, dtype=torch.float32), empty(batch, heads, dim)
    module = example("attention_decoding")
    module.decode_parts(batch, heads, kv_heads, cached, dim, parts)(q, k, v, part_output, part_log)
    module.decode_join(batch, heads, dim, parts)(part_output, part_log, output)
    wide = [x.repeat_interleave(heads // kv_heads, dim=2).transpose(1, 2) for x in (k, v)]
    return difference(output, softmax_attention(q.unsqueeze(2), *wide, None).squeeze(2))


def attention_mla() -> float:
    batch, heads, cached, dim, rope = 2, 128, 512, 512, 64
    q, q_rope = (normal(batch, heads, size, dtype=torch.bfloat16) for size in (dim, rope))
    kv, k_rope = (normal(batch, cached, size, dtype=torch.bfloat16) for size in (dim, rope))
    output = empty(batch, heads, dim, dtype=torch.bfloat16)
    example("attention_mla").attention_mla(batch, heads, cached, dim, rope)(q, q_rope, kv, k_rope, output)
    query, key = torch.cat([q, q_rope], -1), torch.cat([kv, k_rope], -1)
    return difference(output, softmax_attention(query, key, kv, None))


def attention_linear() -> float:
    batch, heads, length, dim = 2, 4, 512, 64
    q, k, v = (normal(batch, length, heads, dim, scale=0.2) for _ in range(3))
    output = empty(batch, length, heads, dim)
    example("attention_linear").attention_linear(batch, heads, length, dim)(q, k, v, output)
    per_head = [x.float().transpose(1, 2) for x in (q, k, v)]
    weights = (per_head[0] @ per_head[1].transpose(-1, -2)).tril()
    return difference(output, (weights @ per_head[2]).transpose(1, 2))


def attention_sparse() -> float:
    batch, heads, length, chosen, dim, block = 1, 4, 1024, 4, 128, 64
    q, k, v = (normal(batch, heads, length, dim) for _ in range(3))
    count = length // block
    ranked = torch.rand(batch, heads, count, count, device="cuda").argsort(-1)[..., :chosen].int()
    ranked[..., -1] = torch.where(torch.rand(batch, heads, count, device="cuda") < 0.5, -1, ranked[..., -1])
    blocks = ranked.contiguous()
    output = empty(batch, heads, length, dim)
    example("attention_sparse").attention_sparse(batch, heads, length, chosen, dim)(q, k, v, blocks, output)
    wanted = torch.zeros(batch, heads, count, count + 1, dtype=torch.bool, device="cuda")
    wanted.scatter_(-1, torch.where(blocks < 0, count, blocks).long(), True)
    mask = wanted[..., :count].repeat_interleave(block, dim=2).repeat_interleave(block, dim=3)
    return difference(output, softmax_attention(q, k, v, mask))


def moe_gating() -> float:
    tokens, experts, k = 1024, 64, 6
    logits = normal(tokens, experts, dtype=torch.float32)
    weights, chosen = empty(tokens, k, dtype=torch.float32), empty(tokens, k, dtype=torch.int32)
    example("moe_gating").moe_gating(tokens, experts, k)(logits, weights, chosen)
    values, places = logits.topk(k, dim=-1)
    return max(difference(weights, values.softmax(-1)), float((chosen.long() != places).sum()))


def moe_routing() -> float:
    tokens, k, experts = 1024, 6, 64
    chosen = torch.rand(tokens, experts, device="cuda").argsort(-1)[:, :k].int().contiguous()
    counts, places = empty(experts, dtype=torch.int32), empty(tokens, k, dtype=torch.int32)
    example("moe_routing").moe_routing(tokens, k, experts)(chosen, counts, places)
    expected = chosen.flatten().bincount(minlength=experts)
    wrong = int((counts != expected).sum())
    for expert in range(experts):
        own = places[chosen == expert].sort().values
        wrong += int((own != torch.arange(len(own), device="cuda")).sum())
    return float(wrong)


def quantize_fp8() -> float:
    M, N = 256, 1024
    x = normal(M, N, dtype=torch.bfloat16)
    y, scales = empty(M, N, dtype=torch.float8_e4m3fn), empty(M, N // 128, dtype=torch.float32)
    example("quantize_fp8").quantize_fp8(M, N)(x, y, scales)
    back = y.float().view(M, N // 128, 128) * scales.unsqueeze(-1)
    return difference(back.view(M, N), x)


def rms_norm() -> float:
    M, N = 256, 4096
    x, weight, y = normal(M, N), normal(N), empty(M, N)
    example("rms_norm").rms_norm(M, N)(x, weight, y)
    wide = x.float()
    return difference(y, wide * (wide.square().mean(-1, keepdim=True) + 1e-6).rsqrt() * weight.float())


def rope() -> float:
    length, heads, dim = 256, 8, 128
    x, y = normal(length, heads, dim), empty(length, heads, dim)
    angles = torch.rand(length, 1, dim // 2, device="cuda") * 6
    cosines, sines = angles.cos().half(), angles.sin().half()
    example("rope").rope(length, heads, dim)(x, cosines.squeeze(1), sines.squeeze(1), y)
    first, second = x.float().chunk(2, dim=-1)
    return difference(y, torch.cat([first * cosines - second * sines, second * cosines + first * sines], -1))


def transpose() -> float:
    a, b = normal(512, 256, dtype=torch.float32), empty(256, 512, dtype=torch.float32)
    example("transpose").transpose(512, 256)(a, b)
    return difference(b, a.T)


def top_k() -> float:
    rows, N, k = 64, 8192, 8
    x = normal(rows, N, dtype=torch.float32)
    values, places = empty(rows, k, dtype=torch.float32), empty(rows, k, dtype=torch.int32)
    example("top_k").top_k(rows, N, k)(x, values, places)
    best, at = x.topk(k, dim=-1)
    return max(difference(values, best), float((places.long() != at).sum()))


def sinkhorn() -> float:
    tokens, streams = 512, 4
    logits = normal(tokens, streams, streams, dtype=torch.float32)
    mixes = empty(tokens, streams, streams, dtype=torch.float32)
    example("sinkhorn").sinkhorn(tokens, streams)(logits, mixes)
    expected = logits.exp()
    for _ in range(8):
        expected = expected / (expected.sum(2, keepdim=True) + 1e-6)
        expected = expected / (expected.sum(1, keepdim=True) + 1e-6)
    return difference(mixes, expected)


def engram_gate() -> float:
    tokens, dim, rows = 256, 1024, 512
    hidden, keys, values = (normal(count, dim, dtype=torch.bfloat16) for count in (tokens, rows, rows))
    index = torch.randint(0, rows, (tokens,), dtype=torch.int32, device="cuda")
    output = empty(tokens, dim, dtype=torch.bfloat16)
    example("engram_gate").engram_gate(tokens, dim, rows)(hidden, keys, values, index, output)
    at = index.long()
    gate = ((hidden.float() * keys.float()[at]).sum(-1, keepdim=True) / math.sqrt(dim)).sigmoid()
    return difference(output, hidden.float() + gate * values.float()[at])


CHECKS: dict[Callable[[], float], float] = {
    gemm: HALF,
    gemm_split_k: HALF,
    gemm_grouped: HALF,
    gemm_int4: HALF,
    gemm_fp8_scaled: HALF,
    attention: HALF,
    attention_decoding: HALF,
    attention_mla: HALF,
    attention_linear: HALF,
    attention_sparse: HALF,
    moe_gating: 1e-4,
    moe_routing: 0.5,
    quantize_fp8: 7e-2,
    rms_norm: HALF,
    rope: HALF,
    transpose: 0.0,
    top_k: 0.0,
    sinkhorn: 1e-4,
    engram_gate: HALF,
}
"""The checks, each with the error that it may have."""


def main() -> int:
    torch.manual_seed(0)
    wrong = 0
    for check, allowed in CHECKS.items():
        try:
            error: float = check()
        except Exception as problem:  # noqa: BLE001 - the others are still to be seen
            print(f"{check.__name__:20} {type(problem).__name__}: {str(problem).splitlines()[0]}")
            wrong += 1
            continue
        right = error <= allowed
        wrong += not right
        print(f"{check.__name__:20} {error:.2e} {'' if right else f'WRONG: more than {allowed}'}")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
