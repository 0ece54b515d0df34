// in: draw 1 0 1 7
// out: hash b18d732bdedf663f
// out: hash e94eca3951379979
// cost: 11 instructions, 719437 ticks
module {
  func.func public @main(%arg0: tensor<30x20xf32>) -> (tensor<30x5xf32>, tensor<30x5xi32>) {
    %values, %indices = chlo.top_k(%arg0, k = 5) : tensor<30x20xf32> -> (tensor<30x5xf32>, tensor<30x5xi32>)
    return %values, %indices : tensor<30x5xf32>, tensor<30x5xi32>
  }
}
