// in: draw 1 -1 9.5367431640625e-07 2097153
// out: hash b72bf50eafc24ea3
// out: hash 1b75ca09ed604a5c
// cost: 11 instructions, 724967 ticks
module {
  func.func public @main(%arg0: tensor<6x40xf32>) -> (tensor<6x8xf32>, tensor<6x8xi32>) {
    %values, %indices = chlo.top_k(%arg0, k = 8) : tensor<6x40xf32> -> (tensor<6x8xf32>, tensor<6x8xi32>)
    return %values, %indices : tensor<6x8xf32>, tensor<6x8xi32>
  }
}
