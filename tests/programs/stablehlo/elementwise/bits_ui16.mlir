// routines: count_leading_zeros popcnt
// in: draw 1 0 1 65536
// in: draw 2 0 1 65536
// out: hash 904386c928e3e577
// out: hash cda58407c1e6a5ad
// out: hash b9cbad00edcea786
// out: hash 0bf7985c1ae3fc67
// out: hash 4c59975a12862601
// out: hash a42b548ecb4c2aef
// cost: 15 instructions, 780535 ticks
module {
  func.func public @main(%arg0: tensor<5x30xui16>, %arg1: tensor<5x30xui16>) -> (tensor<5x30xui16>, tensor<5x30xui16>, tensor<5x30xui16>, tensor<5x30xui16>, tensor<5x30xui16>, tensor<5x30xui16>) {
    %0 = stablehlo.and %arg0, %arg1 : tensor<5x30xui16>
    %1 = stablehlo.or %arg0, %arg1 : tensor<5x30xui16>
    %2 = stablehlo.xor %arg0, %arg1 : tensor<5x30xui16>
    %3 = stablehlo.not %arg0 : tensor<5x30xui16>
    %4 = stablehlo.popcnt %arg0 : tensor<5x30xui16>
    %5 = stablehlo.count_leading_zeros %arg1 : tensor<5x30xui16>
    return %0, %1, %2, %3, %4, %5 : tensor<5x30xui16>, tensor<5x30xui16>, tensor<5x30xui16>, tensor<5x30xui16>, tensor<5x30xui16>, tensor<5x30xui16>
  }
}
