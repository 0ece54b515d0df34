// routines: count_leading_zeros popcnt
// in: draw 1 0 1 4294967296
// in: draw 2 0 1 4294967296
// out: hash 6f63bcc21a5a05a0
// out: hash eb8a57833961fc56
// out: hash e5ea87d15077bc57
// out: hash 27952a55d764f3d6
// out: hash c05397ca198a80e4
// out: hash 2c9bf777eeab8241
// cost: 15 instructions, 783238 ticks
module {
  func.func public @main(%arg0: tensor<5x30xui32>, %arg1: tensor<5x30xui32>) -> (tensor<5x30xui32>, tensor<5x30xui32>, tensor<5x30xui32>, tensor<5x30xui32>, tensor<5x30xui32>, tensor<5x30xui32>) {
    %0 = stablehlo.and %arg0, %arg1 : tensor<5x30xui32>
    %1 = stablehlo.or %arg0, %arg1 : tensor<5x30xui32>
    %2 = stablehlo.xor %arg0, %arg1 : tensor<5x30xui32>
    %3 = stablehlo.not %arg0 : tensor<5x30xui32>
    %4 = stablehlo.popcnt %arg0 : tensor<5x30xui32>
    %5 = stablehlo.count_leading_zeros %arg1 : tensor<5x30xui32>
    return %0, %1, %2, %3, %4, %5 : tensor<5x30xui32>, tensor<5x30xui32>, tensor<5x30xui32>, tensor<5x30xui32>, tensor<5x30xui32>, tensor<5x30xui32>
  }
}
