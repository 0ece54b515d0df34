// tolerance: 2e-05
// cores: 2
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums 114.535152 140.454371 135.963632 -2.82596893 -1.5732273 32.8665439 124.249281 21.53949 -49.7487028 18.2486337 -2.55213456 5.22940798 -116.825104 53.1192192 96.4785976 40.7288244
// cost: 10 instructions, 948016 ticks
module {
  func.func public @main(%arg0: tensor<256x128xf32>, %arg1: tensor<128x256xf32>) -> (tensor<256x256xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<256x128xf32>, tensor<128x256xf32>) -> tensor<256x256xf32>
    %1 = stablehlo.tanh %0 : tensor<256x256xf32>
    return %1 : tensor<256x256xf32>
  }
}
