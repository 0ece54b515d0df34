// routines: count_leading_zeros popcnt
// in: draw 1 0 1 256
// in: draw 2 0 1 256
// out: hash ac7cb6c2e0ba2e10
// out: hash 0aac3ea191c498e4
// out: hash c99457c258035443
// out: hash b9509ca3fd1d2ea1
// out: hash 731aa7dd7ed11157
// out: hash ac054751ff7a8521
// cost: 15 instructions, 780215 ticks
module {
  func.func public @main(%arg0: tensor<5x30xui8>, %arg1: tensor<5x30xui8>) -> (tensor<5x30xui8>, tensor<5x30xui8>, tensor<5x30xui8>, tensor<5x30xui8>, tensor<5x30xui8>, tensor<5x30xui8>) {
    %0 = stablehlo.and %arg0, %arg1 : tensor<5x30xui8>
    %1 = stablehlo.or %arg0, %arg1 : tensor<5x30xui8>
    %2 = stablehlo.xor %arg0, %arg1 : tensor<5x30xui8>
    %3 = stablehlo.not %arg0 : tensor<5x30xui8>
    %4 = stablehlo.popcnt %arg0 : tensor<5x30xui8>
    %5 = stablehlo.count_leading_zeros %arg1 : tensor<5x30xui8>
    return %0, %1, %2, %3, %4, %5 : tensor<5x30xui8>, tensor<5x30xui8>, tensor<5x30xui8>, tensor<5x30xui8>, tensor<5x30xui8>, tensor<5x30xui8>
  }
}
