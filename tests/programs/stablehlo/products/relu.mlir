// tolerance: 2e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// in: draw 3 -1 9.5367431640625e-07 2097153
// out: sums 1049.66767 978.612347 1062.36647 978.861393 1080.35548 1020.84682 983.879987 1090.77327 925.64084 1057.08889 1014.00809 1012.45593 951.196379 1016.72333 1021.72905 1049.99939
// cost: 14 instructions, 867282 ticks
module {
  func.func public @main(%arg0: tensor<140x40xf32>, %arg1: tensor<40x90xf32>, %arg2: tensor<90xf32>) -> (tensor<140x90xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<140x40xf32>, tensor<40x90xf32>) -> tensor<140x90xf32>
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [1] : (tensor<90xf32>) -> tensor<1x90xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x90xf32>) -> tensor<140x90xf32>
    %3 = stablehlo.add %0, %2 : tensor<140x90xf32>
    %4 = call @relu(%3) : (tensor<140x90xf32>) -> tensor<140x90xf32>
    return %4 : tensor<140x90xf32>
  }
  func.func private @relu(%arg0: tensor<140x90xf32>) -> tensor<140x90xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<140x90xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<140x90xf32>
    return %1 : tensor<140x90xf32>
  }
}
