// tolerance: 2e-05
// in: draw 1 0 1 7
// in: draw 2 0 1 7
// out: hash e56496c9a84821e0
// out: hash 12fb09d2331da22d
// out: hash ac3e40c9bc0d6464
// cost: 10 instructions, 681500 ticks
module {
  func.func public @main(%arg0: tensor<40x5xf32>, %arg1: tensor<40x5xf32>) -> (tensor<40x5xi1>, tensor<40x5xi1>, tensor<40x5xi1>) {
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<40x5xf32>
    %1 = stablehlo.compare GT, %arg0, %0, FLOAT : (tensor<40x5xf32>, tensor<40x5xf32>) -> tensor<40x5xi1>
    %cst_0 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<40x5xf32>
    %3 = stablehlo.compare GT, %arg1, %2, FLOAT : (tensor<40x5xf32>, tensor<40x5xf32>) -> tensor<40x5xi1>
    %4 = stablehlo.and %1, %3 : tensor<40x5xi1>
    %cst_1 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<40x5xf32>
    %6 = stablehlo.compare GT, %arg0, %5, FLOAT : (tensor<40x5xf32>, tensor<40x5xf32>) -> tensor<40x5xi1>
    %cst_2 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<40x5xf32>
    %8 = stablehlo.compare GT, %arg1, %7, FLOAT : (tensor<40x5xf32>, tensor<40x5xf32>) -> tensor<40x5xi1>
    %9 = stablehlo.xor %6, %8 : tensor<40x5xi1>
    %cst_3 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<40x5xf32>
    %11 = stablehlo.compare GT, %arg0, %10, FLOAT : (tensor<40x5xf32>, tensor<40x5xf32>) -> tensor<40x5xi1>
    %12 = stablehlo.not %11 : tensor<40x5xi1>
    return %4, %9, %12 : tensor<40x5xi1>, tensor<40x5xi1>, tensor<40x5xi1>
  }
}
