// routines: count_leading_zeros popcnt
// in: draw 1 -32768 1 65536
// in: draw 2 -32768 1 65536
// out: hash 9adefa31991dde88
// out: hash e690c1420d7beea4
// out: hash 38760fdc771f1f54
// out: hash 79e1d49dbdae749f
// out: hash b6b0787773a576ea
// out: hash 1b9769dd151a2d21
// cost: 15 instructions, 780535 ticks
module {
  func.func public @main(%arg0: tensor<5x30xi16>, %arg1: tensor<5x30xi16>) -> (tensor<5x30xi16>, tensor<5x30xi16>, tensor<5x30xi16>, tensor<5x30xi16>, tensor<5x30xi16>, tensor<5x30xi16>) {
    %0 = stablehlo.and %arg0, %arg1 : tensor<5x30xi16>
    %1 = stablehlo.or %arg0, %arg1 : tensor<5x30xi16>
    %2 = stablehlo.xor %arg0, %arg1 : tensor<5x30xi16>
    %3 = stablehlo.not %arg0 : tensor<5x30xi16>
    %4 = stablehlo.popcnt %arg0 : tensor<5x30xi16>
    %5 = stablehlo.count_leading_zeros %arg1 : tensor<5x30xi16>
    return %0, %1, %2, %3, %4, %5 : tensor<5x30xi16>, tensor<5x30xi16>, tensor<5x30xi16>, tensor<5x30xi16>, tensor<5x30xi16>, tensor<5x30xi16>
  }
}
