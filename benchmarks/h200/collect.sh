#!/bin/sh
# Measures what prepare.py made: collect.sh FOLDER, on a machine with a GPU, Nsight Compute and nvdisasm.
set -e
here=$(dirname "$0")
folder=$1
probes=$(python3 -c 'import json, sys; print(len(json.load(open(sys.argv[1]))["patterns"]))' "$folder/manifest.json")
wavefronts=l1tex__data_pipe_lsu_wavefronts_mem_shared
sectors=l1tex__t_sectors_pipe_lsu_mem_global
metrics=${wavefronts}_op_ld.sum,${wavefronts}_op_st.sum,${wavefronts}_op_atom.sum,${sectors}_op_ld.sum,${sectors}_op_st.sum
metrics=$metrics,smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ldgsts.sum
ncu -f --clock-control none --cache-control none --launch-count "$probes" --metrics "$metrics" -o "$folder/probes" \
  python3 "$here/measure.py" "$folder" >"$folder/probes.log"
ncu -i "$folder/probes.ncu-rep" --page raw --csv >"$folder/probes.csv"
ncu -f --clock-control none --launch-skip "$probes" --section SourceCounters -o "$folder/kernels" \
  python3 "$here/measure.py" "$folder" >"$folder/kernels.log"
ncu -i "$folder/kernels.ncu-rep" --page source --csv --print-source sass >"$folder/source.csv"
for cubin in "$folder"/*.cubin; do
  echo "@@ $cubin"
  nvdisasm -gi -c "$cubin"
done >"$folder/sass.txt"
