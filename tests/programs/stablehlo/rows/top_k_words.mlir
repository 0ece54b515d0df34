// routines: composite
// in: draw 1 -1000 1 2000
// out: hash 54db1d0e5d4a9962
// out: hash 92675d3b39c74f26
// cost: 0 instructions, 21700 ticks
module {
  func.func public @main(%arg0: tensor<30x20xi32>) -> (tensor<30x5xi32>, tensor<30x5xi32>) {
    %values, %indices = chlo.top_k(%arg0, k = 5) : tensor<30x20xi32> -> (tensor<30x5xi32>, tensor<30x5xi32>)
    return %values, %indices : tensor<30x5xi32>, tensor<30x5xi32>
  }
}
