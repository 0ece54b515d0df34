// routines: reduce_precision
// in: draw 1 -40 6.103515625e-05 1310721
// out: hash 677fddd9055ed614
// out: hash 7fee9ba121e3ea34
// cost: 0 instructions, 42280 ticks
module {
  func.func public @main(%arg0: tensor<100xf32>) -> (tensor<100xf32>, tensor<100xf32>) {
    %0 = stablehlo.reduce_precision %arg0, format = e8m7 : tensor<100xf32>
    %1 = stablehlo.reduce_precision %arg0, format = e5m3 : tensor<100xf32>
    return %0, %1 : tensor<100xf32>, tensor<100xf32>
  }
}
