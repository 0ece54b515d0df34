// routines: count_leading_zeros popcnt
// in: draw 1 -2.14748e+09 1 4294967296
// in: draw 2 -2.14748e+09 1 4294967296
// out: hash 2c07457e52a5f7b2
// out: hash b5a911ec699532d6
// out: hash 43e225268424cece
// out: hash 27af88982dc2e0d7
// out: hash d145f8faf75315c8
// out: hash 102af5059b3af2c9
// cost: 15 instructions, 783238 ticks
module {
  func.func public @main(%arg0: tensor<5x30xi32>, %arg1: tensor<5x30xi32>) -> (tensor<5x30xi32>, tensor<5x30xi32>, tensor<5x30xi32>, tensor<5x30xi32>, tensor<5x30xi32>, tensor<5x30xi32>) {
    %0 = stablehlo.and %arg0, %arg1 : tensor<5x30xi32>
    %1 = stablehlo.or %arg0, %arg1 : tensor<5x30xi32>
    %2 = stablehlo.xor %arg0, %arg1 : tensor<5x30xi32>
    %3 = stablehlo.not %arg0 : tensor<5x30xi32>
    %4 = stablehlo.popcnt %arg0 : tensor<5x30xi32>
    %5 = stablehlo.count_leading_zeros %arg1 : tensor<5x30xi32>
    return %0, %1, %2, %3, %4, %5 : tensor<5x30xi32>, tensor<5x30xi32>, tensor<5x30xi32>, tensor<5x30xi32>, tensor<5x30xi32>, tensor<5x30xi32>
  }
}
