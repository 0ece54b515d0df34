// tolerance: 0.0002
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums 219.859894 216.351967 190.286315 234.229958 197.746468 240.665907 204.321195 253.471193 252.420735 182.27515 249.630393 271.592401 221.483315 219.306151 235.590696 202.408848
// out: sums 1121.66611 1001.60375 1073.69601 1075.61529 847.888506 1056.43698 868.184092 1025.82205 905.661538 951.98308 1095.44923 1284.27429 1034.56492 967.238023 1122.5037 1192.78777
// cost: 26 instructions, 1313444 ticks
module {
  func.func public @main(%arg0: tensor<140x64xf32>, %arg1: tensor<64x192xf32>) -> (tensor<140x64xf32>, tensor<64x64xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<140x64xf32>, tensor<64x192xf32>) -> tensor<140x192xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<140x192xf32>
    %2 = stablehlo.add %0, %1 : tensor<140x192xf32>
    %3 = stablehlo.tanh %2 : tensor<140x192xf32>
    %cst_0 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<140x192xf32>
    %5 = stablehlo.multiply %3, %4 : tensor<140x192xf32>
    %6 = stablehlo.slice %5 [0:140, 0:64] : (tensor<140x192xf32>) -> tensor<140x64xf32>
    %cst_1 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<140x64xf32>
    %8 = stablehlo.multiply %6, %7 : tensor<140x64xf32>
    %9 = stablehlo.slice %5 [0:140, 64:128] : (tensor<140x192xf32>) -> tensor<140x64xf32>
    %10 = stablehlo.transpose %9, dims = [1, 0] : (tensor<140x64xf32>) -> tensor<64x140xf32>
    %11 = stablehlo.slice %5 [0:140, 128:192] : (tensor<140x192xf32>) -> tensor<140x64xf32>
    %12 = stablehlo.dot_general %10, %11, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<64x140xf32>, tensor<140x64xf32>) -> tensor<64x64xf32>
    return %8, %12 : tensor<140x64xf32>, tensor<64x64xf32>
  }
}
