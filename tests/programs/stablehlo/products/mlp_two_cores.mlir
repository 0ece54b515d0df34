// tolerance: 0.0001
// cores: 2
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// in: draw 3 -1 9.5367431640625e-07 2097153
// out: sums -2420.0041 -1991.12582 -3116.66417 -902.70721 -2658.77787 -1774.53616 -1191.48864 -1298.12557 -1064.99445 -1559.43286 -2847.46101 -1296.80572 -621.146293 -649.033946 -2055.70929 -1207.17965
// cost: 22 instructions, 1005528 ticks
module {
  func.func public @main(%arg0: tensor<256x64xf32>, %arg1: tensor<64x256xf32>, %arg2: tensor<256x64xf32>) -> (tensor<256x64xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<256x64xf32>, tensor<64x256xf32>) -> tensor<256x256xf32>
    %1 = call @relu(%0) : (tensor<256x256xf32>) -> tensor<256x256xf32>
    %2 = stablehlo.dot_general %1, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<256x256xf32>, tensor<256x64xf32>) -> tensor<256x64xf32>
    return %2 : tensor<256x64xf32>
  }
  func.func private @relu(%arg0: tensor<256x256xf32>) -> tensor<256x256xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<256x256xf32>
    return %1 : tensor<256x256xf32>
  }
}
