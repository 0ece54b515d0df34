// tolerance: 0.0002
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// in: draw 3 -1 9.5367431640625e-07 2097153
// out: sums 0.400788278 4.03827301 -14.3025345 -5.38233094 12.3678416 -8.56496282 -8.40944668 -0.889036311 -0.53455842 -2.03350696 4.10881029 0.0961229464 -0.630317443 -8.47440027 8.16913521 0.262507023
// cost: 11 instructions, 1013904 ticks
module {
  func.func public @main(%arg0: tensor<40x64xf32>, %arg1: tensor<30xf32>, %arg2: tensor<64x30xf32>) -> (tensor<40x30xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<40x64xf32>, tensor<64x30xf32>) -> tensor<40x30xf32>
    %1 = stablehlo.multiply %0, %0 : tensor<40x30xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.reduce(%1 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<40x30xf32>, tensor<f32>) -> tensor<40xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<40xf32>) -> tensor<40x1xf32>
    %cst_0 = stablehlo.constant dense<3.000000e+01> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<40x1xf32>
    %5 = stablehlo.divide %3, %4 : tensor<40x1xf32>
    %cst_1 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<40x1xf32>
    %7 = stablehlo.add %5, %6 : tensor<40x1xf32>
    %8 = stablehlo.rsqrt %7 : tensor<40x1xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<40x1xf32>) -> tensor<40x30xf32>
    %10 = stablehlo.multiply %0, %9 : tensor<40x30xf32>
    %11 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<30xf32>) -> tensor<1x30xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1] : (tensor<1x30xf32>) -> tensor<40x30xf32>
    %13 = stablehlo.multiply %10, %12 : tensor<40x30xf32>
    return %13 : tensor<40x30xf32>
  }
}
