#!/bin/sh
# Profiles a GEMM and attention in every way tilescope reads: profile.sh FOLDER, on a machine with a GPU, Nsight Compute,
# nvdisasm, and a Python with torch, TileLang and tilescope. What it leaves in FOLDER became tests/data/profiles/h200.
here=$(dirname "$0")
folder=$1
mkdir -p "$folder"
program="python3 $here/profiled_programs.py"
for kernel in gemm attention; do
  out=$folder/$kernel
  mkdir -p "$out"
  echo "== $kernel"
  python3 -m tilescope profile -o "$out" -- $program $kernel
  recording=$(ls "$out"/*.tscope | head -1)
  python3 "$here/overhead.py" "$recording" $kernel 8 32 128
  $program $kernel --torch-profiler "$out/torch.json"
  symbol=$([ $kernel = gemm ] && echo gemm_relu_kernel || echo attention_forward_kernel)
  TILELANG_CACHE_DIR=$(mktemp -d)
  export TILELANG_CACHE_DIR
  ncu -f --clock-control none -k "$symbol" --launch-skip 3 --launch-count 1 --section SourceCounters \
    --section SpeedOfLight --section SpeedOfLight_RooflineChart --section WarpStateStats --section SchedulerStats \
    --section ComputeWorkloadAnalysis --section MemoryWorkloadAnalysis --section LaunchStats --section Occupancy \
    -o "$out/ncu" $program $kernel
  ncu -i "$out/ncu.ncu-rep" --page source --csv --print-source sass >"$out/ncu_source_sass.csv"
  ncu -i "$out/ncu.ncu-rep" --page details --csv >"$out/ncu_details.csv"
  ncu -i "$out/ncu.ncu-rep" --page raw --csv >"$out/ncu_raw.csv"
  find "$TILELANG_CACHE_DIR" -name '*.so' -size +1k | head -1 | xargs -I{} cp {} "$out/library.so"
  find "$TILELANG_CACHE_DIR" -type f | head -20
  unset TILELANG_CACHE_DIR
done
for depth in 4100 4104; do
  out=$folder/gemm_k$depth
  program="python3 $here/padding.py $depth"
  python3 -m tilescope profile -o "$out" --kernel 'gemm_relu*' -- $program
  ncu -f --clock-control none -k regex:gemm_relu --launch-skip 10 --launch-count 1 --section SpeedOfLight \
    --section WarpStateStats --section LaunchStats --section SourceCounters -o "$out/ncu" $program
  ncu -i "$out/ncu.ncu-rep" --page details --csv >"$out/ncu_details.csv"
done
