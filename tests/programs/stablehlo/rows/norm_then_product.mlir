// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// in: draw 3 -1 9.5367431640625e-07 2097153
// out: sums 24.1524135 -41.5403509 23.1342961 -52.8368992 -8.18244463 -9.53387871 84.164517 -19.8403196 -69.3792245 32.3052677 12.6429843 -16.2024432 12.424245 21.823732 28.7245278 31.5655268
// cost: 14 instructions, 1120559 ticks
module {
  func.func public @main(%arg0: tensor<40x64xf32>, %arg1: tensor<64xf32>, %arg2: tensor<64x30xf32>) -> (tensor<40x30xf32>) {
    %0 = stablehlo.multiply %arg0, %arg0 : tensor<40x64xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<40x64xf32>, tensor<f32>) -> tensor<40xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0] : (tensor<40xf32>) -> tensor<40x1xf32>
    %cst_0 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<40x1xf32>
    %4 = stablehlo.divide %2, %3 : tensor<40x1xf32>
    %cst_1 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<40x1xf32>
    %6 = stablehlo.add %4, %5 : tensor<40x1xf32>
    %7 = stablehlo.rsqrt %6 : tensor<40x1xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<40x1xf32>) -> tensor<40x64xf32>
    %9 = stablehlo.multiply %arg0, %8 : tensor<40x64xf32>
    %10 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<64xf32>) -> tensor<1x64xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1] : (tensor<1x64xf32>) -> tensor<40x64xf32>
    %12 = stablehlo.multiply %9, %11 : tensor<40x64xf32>
    %13 = stablehlo.dot_general %12, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<40x64xf32>, tensor<64x30xf32>) -> tensor<40x30xf32>
    return %13 : tensor<40x30xf32>
  }
}
