// tolerance: 2e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums 11.7704278 1.25464538 -32.1058283 -21.2298966 -13.6146544 -8.67380849 -4.88226139 21.5668912 -6.0858282 -19.9705514 2.16349335 5.75985947 -15.1578509 24.8498514 -8.20958858 -29.4616864
// cost: 5 instructions, 648352 ticks
module {
  func.func public @main(%arg0: tensor<50x40xf32>, %arg1: tensor<64x20xf32>) -> (tensor<37x20xf32>) {
    %0 = stablehlo.slice %arg0 [3:40, 8:40] : (tensor<50x40xf32>) -> tensor<37x32xf32>
    %1 = stablehlo.slice %arg1 [0:64:2, 0:20] : (tensor<64x20xf32>) -> tensor<32x20xf32>
    %2 = stablehlo.dot_general %0, %1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<37x32xf32>, tensor<32x20xf32>) -> tensor<37x20xf32>
    return %2 : tensor<37x20xf32>
  }
}
