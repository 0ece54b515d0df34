// tolerance: 2e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// out: sums 1.86757098 1.72665279 2.19610714 2.28554411 1.89809859 1.69343848 1.6864501 2.05195221 1.47449411 1.69050735 1.83095727 1.90317566 2.18244414 2.03074454 1.30760945 2.22963793
// cost: 11 instructions, 812615 ticks
module {
  func.func public @main(%arg0: tensor<20x40xf32>) -> (tensor<20x40xf32>) {
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<20x40xf32>
    %1 = stablehlo.compare GT, %arg0, %0, FLOAT : (tensor<20x40xf32>, tensor<20x40xf32>) -> tensor<20x40xi1>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %2 = call @_where(%1, %cst_0, %arg0) : (tensor<20x40xi1>, tensor<f32>, tensor<20x40xf32>) -> tensor<20x40xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst_1) applies stablehlo.maximum across dimensions = [1] : (tensor<20x40xf32>, tensor<f32>) -> tensor<20xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<20xf32>
    %5 = stablehlo.maximum %4, %3 : tensor<20xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0] : (tensor<20xf32>) -> tensor<20x1xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1] : (tensor<20x1xf32>) -> tensor<20x40xf32>
    %8 = stablehlo.subtract %2, %7 : tensor<20x40xf32>
    %9 = stablehlo.exponential %8 : tensor<20x40xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.reduce(%9 init: %cst_3) applies stablehlo.add across dimensions = [1] : (tensor<20x40xf32>, tensor<f32>) -> tensor<20xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0] : (tensor<20xf32>) -> tensor<20x1xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1] : (tensor<20x1xf32>) -> tensor<20x40xf32>
    %13 = stablehlo.divide %9, %12 : tensor<20x40xf32>
    return %13 : tensor<20x40xf32>
  }
  func.func private @_where(%arg0: tensor<20x40xi1>, %arg1: tensor<f32>, %arg2: tensor<20x40xf32>) -> tensor<20x40xf32> {
    %0 = stablehlo.convert %arg1 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<20x40xf32>
    %2 = stablehlo.select %arg0, %1, %arg2 : tensor<20x40xi1>, tensor<20x40xf32>
    return %2 : tensor<20x40xf32>
  }
}
