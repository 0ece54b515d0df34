// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
// out: sums -2.70524543 28.6224947 4.56424073 -15.7736393 7.96457272 -9.58095942 2.61409612 -15.1369085 -0.608993825 1.81519122 -4.77327405 1.38102104 5.95364851 -2.85057245 11.7275909 -15.8448504
// cost: 12 instructions, 1019127 ticks
module {
  func.func public @main(%arg0: tensor<20x33xf32>) -> (tensor<20x33xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<20x33xf32>, tensor<f32>) -> tensor<20xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<20xf32>) -> tensor<20x1xf32>
    %cst_0 = stablehlo.constant dense<3.300000e+01> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<20x1xf32>
    %3 = stablehlo.divide %1, %2 : tensor<20x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<20x1xf32>) -> tensor<20x33xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<20x33xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %6 = call @_std(%arg0, %c) : (tensor<20x33xf32>, tensor<i32>) -> tensor<20x1xf32>
    %cst_1 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<20x1xf32>
    %8 = stablehlo.add %6, %7 : tensor<20x1xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<20x1xf32>) -> tensor<20x33xf32>
    %10 = stablehlo.divide %5, %9 : tensor<20x33xf32>
    return %10 : tensor<20x33xf32>
  }
  func.func private @_std(%arg0: tensor<20x33xf32>, %arg1: tensor<i32>) -> tensor<20x1xf32> {
    %0 = call @_var(%arg0, %arg1) : (tensor<20x33xf32>, tensor<i32>) -> tensor<20x1xf32>
    %1 = stablehlo.sqrt %0 : tensor<20x1xf32>
    return %1 : tensor<20x1xf32>
  }
  func.func private @_var(%arg0: tensor<20x33xf32>, %arg1: tensor<i32>) -> tensor<20x1xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<20x33xf32>, tensor<f32>) -> tensor<20xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<20xf32>) -> tensor<20x1xf32>
    %cst_0 = stablehlo.constant dense<3.300000e+01> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<20x1xf32>
    %3 = stablehlo.divide %1, %2 : tensor<20x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<20x1xf32>) -> tensor<20x33xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<20x33xf32>
    %6 = chlo.square %5 : tensor<20x33xf32> -> tensor<20x33xf32>
    %7 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %cst_1 = stablehlo.constant dense<3.300000e+01> : tensor<f32>
    %8 = stablehlo.subtract %cst_1, %7 : tensor<f32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.reduce(%6 init: %cst_2) applies stablehlo.add across dimensions = [1] : (tensor<20x33xf32>, tensor<f32>) -> tensor<20xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0] : (tensor<20xf32>) -> tensor<20x1xf32>
    %11 = stablehlo.broadcast_in_dim %8, dims = [] : (tensor<f32>) -> tensor<20x1xf32>
    %12 = stablehlo.divide %10, %11 : tensor<20x1xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.compare GT, %8, %cst_3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %cst_4 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %14 = call @_where(%13, %12, %cst_4) : (tensor<i1>, tensor<20x1xf32>, tensor<f32>) -> tensor<20x1xf32>
    return %14 : tensor<20x1xf32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<20x1xf32>, %arg2: tensor<f32>) -> tensor<20x1xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<20x1xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<i1>, tensor<20x1xf32>
    return %2 : tensor<20x1xf32>
  }
}
