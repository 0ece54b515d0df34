// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
// out: sums 76.8941745 -328.090773 -141.740117 12.0746672 210.506512 271.832505 15.0847384 -178.535386 -302.979148 -222.467296 18.9914251 181.178326 385.452357 263.472365 -81.3050447 64.9460841
// cost: 29 instructions, 4869595 ticks
module {
  func.func public @main(%arg0: tensor<2x90000xf32>) -> (tensor<2x90000xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<2x90000xf32>, tensor<f32>) -> tensor<2xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<2xf32>) -> tensor<2x1xf32>
    %cst_0 = stablehlo.constant dense<9.000000e+04> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x1xf32>
    %3 = stablehlo.divide %1, %2 : tensor<2x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<2x1xf32>) -> tensor<2x90000xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<2x90000xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %6 = call @_std(%arg0, %c) : (tensor<2x90000xf32>, tensor<i32>) -> tensor<2x1xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1] : (tensor<2x1xf32>) -> tensor<2x90000xf32>
    %8 = stablehlo.divide %5, %7 : tensor<2x90000xf32>
    %cst_1 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x90000xf32>
    %10 = stablehlo.multiply %8, %9 : tensor<2x90000xf32>
    return %10 : tensor<2x90000xf32>
  }
  func.func private @_std(%arg0: tensor<2x90000xf32>, %arg1: tensor<i32>) -> tensor<2x1xf32> {
    %0 = call @_var(%arg0, %arg1) : (tensor<2x90000xf32>, tensor<i32>) -> tensor<2x1xf32>
    %1 = stablehlo.sqrt %0 : tensor<2x1xf32>
    return %1 : tensor<2x1xf32>
  }
  func.func private @_var(%arg0: tensor<2x90000xf32>, %arg1: tensor<i32>) -> tensor<2x1xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<2x90000xf32>, tensor<f32>) -> tensor<2xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<2xf32>) -> tensor<2x1xf32>
    %cst_0 = stablehlo.constant dense<9.000000e+04> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x1xf32>
    %3 = stablehlo.divide %1, %2 : tensor<2x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<2x1xf32>) -> tensor<2x90000xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<2x90000xf32>
    %6 = chlo.square %5 : tensor<2x90000xf32> -> tensor<2x90000xf32>
    %7 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %cst_1 = stablehlo.constant dense<9.000000e+04> : tensor<f32>
    %8 = stablehlo.subtract %cst_1, %7 : tensor<f32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.reduce(%6 init: %cst_2) applies stablehlo.add across dimensions = [1] : (tensor<2x90000xf32>, tensor<f32>) -> tensor<2xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0] : (tensor<2xf32>) -> tensor<2x1xf32>
    %11 = stablehlo.broadcast_in_dim %8, dims = [] : (tensor<f32>) -> tensor<2x1xf32>
    %12 = stablehlo.divide %10, %11 : tensor<2x1xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.compare GT, %8, %cst_3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %cst_4 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %14 = call @_where(%13, %12, %cst_4) : (tensor<i1>, tensor<2x1xf32>, tensor<f32>) -> tensor<2x1xf32>
    return %14 : tensor<2x1xf32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<2x1xf32>, %arg2: tensor<f32>) -> tensor<2x1xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x1xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<i1>, tensor<2x1xf32>
    return %2 : tensor<2x1xf32>
  }
}
