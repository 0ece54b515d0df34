// routines: count_leading_zeros popcnt
// in: draw 1 -128 1 256
// in: draw 2 -128 1 256
// out: hash a9912e52067e56a1
// out: hash a893db09f4436709
// out: hash 4bf5da32fd4e33e3
// out: hash 9e57218926d24e2e
// out: hash d0d5f9c938b31edf
// out: hash eef4aa20a293961b
// cost: 15 instructions, 780215 ticks
module {
  func.func public @main(%arg0: tensor<5x30xi8>, %arg1: tensor<5x30xi8>) -> (tensor<5x30xi8>, tensor<5x30xi8>, tensor<5x30xi8>, tensor<5x30xi8>, tensor<5x30xi8>, tensor<5x30xi8>) {
    %0 = stablehlo.and %arg0, %arg1 : tensor<5x30xi8>
    %1 = stablehlo.or %arg0, %arg1 : tensor<5x30xi8>
    %2 = stablehlo.xor %arg0, %arg1 : tensor<5x30xi8>
    %3 = stablehlo.not %arg0 : tensor<5x30xi8>
    %4 = stablehlo.popcnt %arg0 : tensor<5x30xi8>
    %5 = stablehlo.count_leading_zeros %arg1 : tensor<5x30xi8>
    return %0, %1, %2, %3, %4, %5 : tensor<5x30xi8>, tensor<5x30xi8>, tensor<5x30xi8>, tensor<5x30xi8>, tensor<5x30xi8>, tensor<5x30xi8>
  }
}
