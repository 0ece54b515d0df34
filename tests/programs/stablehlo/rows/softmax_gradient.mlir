// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
// out: sums -0.0035293663 0.0240968137 0.00325422031 -0.00880524855 -2.6368189e-05 -0.0082246366 0.0104609834 -0.0108983683 -0.00130963585 0.00338836592 -0.00590551527 0.00700581618 0.00692134021 -0.00993384038 0.0127840269 -0.0156277485
// cost: 20 instructions, 975162 ticks
module {
  func.func public @main(%arg0: tensor<20x40xf32>) -> (tensor<20x40xf32>) {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<20x40xf32>, tensor<f32>) -> tensor<20xf32>
    %1 = stablehlo.reshape %0 : (tensor<20xf32>) -> tensor<20x1xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<20x1xf32>) -> tensor<20x40xf32>
    %3 = stablehlo.compare EQ, %arg0, %2, FLOAT : (tensor<20x40xf32>, tensor<20x40xf32>) -> tensor<20x40xi1>
    %4 = stablehlo.convert %3 : (tensor<20x40xi1>) -> tensor<20x40xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.reduce(%4 init: %cst_0) applies stablehlo.add across dimensions = [1] : (tensor<20x40xf32>, tensor<f32>) -> tensor<20xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<20xf32>
    %7 = stablehlo.maximum %6, %0 : tensor<20xf32>
    %8 = stablehlo.compare EQ, %0, %7, FLOAT : (tensor<20xf32>, tensor<20xf32>) -> tensor<20xi1>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<20xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<20xf32>
    %11 = stablehlo.select %8, %9, %10 : tensor<20xi1>, tensor<20xf32>
    %cst_4 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<20xf32>
    %13 = stablehlo.compare EQ, %12, %7, FLOAT : (tensor<20xf32>, tensor<20xf32>) -> tensor<20xi1>
    %cst_5 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<20xf32>
    %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<20xf32>
    %16 = stablehlo.select %13, %14, %15 : tensor<20xi1>, tensor<20xf32>
    %17 = stablehlo.divide %11, %16 : tensor<20xf32>
    %18 = stablehlo.broadcast_in_dim %7, dims = [0] : (tensor<20xf32>) -> tensor<20x1xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1] : (tensor<20x1xf32>) -> tensor<20x40xf32>
    %20 = stablehlo.subtract %arg0, %19 : tensor<20x40xf32>
    %21 = stablehlo.exponential %20 : tensor<20x40xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %22 = stablehlo.reduce(%21 init: %cst_7) applies stablehlo.add across dimensions = [1] : (tensor<20x40xf32>, tensor<f32>) -> tensor<20xf32>
    %23 = stablehlo.broadcast_in_dim %22, dims = [0] : (tensor<20xf32>) -> tensor<20x1xf32>
    %24 = stablehlo.broadcast_in_dim %23, dims = [0, 1] : (tensor<20x1xf32>) -> tensor<20x40xf32>
    %25 = stablehlo.divide %21, %24 : tensor<20x40xf32>
    %26 = stablehlo.multiply %23, %23 : tensor<20x1xf32>
    %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %27 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<20x1xf32>
    %28 = stablehlo.divide %27, %26 : tensor<20x1xf32>
    %29 = stablehlo.multiply %25, %25 : tensor<20x40xf32>
    %cst_9 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %30 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<20x40xf32>
    %31 = stablehlo.multiply %30, %25 : tensor<20x40xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %32 = stablehlo.reduce(%29 init: %cst_10) applies stablehlo.add across dimensions = [0, 1] : (tensor<20x40xf32>, tensor<f32>) -> tensor<f32>
    %cst_11 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %33 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<20x40xf32>
    %34 = stablehlo.multiply %33, %31 : tensor<20x40xf32>
    %35 = stablehlo.broadcast_in_dim %28, dims = [0, 1] : (tensor<20x1xf32>) -> tensor<20x40xf32>
    %36 = stablehlo.multiply %34, %35 : tensor<20x40xf32>
    %37 = stablehlo.multiply %36, %21 : tensor<20x40xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %38 = stablehlo.reduce(%37 init: %cst_12) applies stablehlo.add across dimensions = [1] : (tensor<20x40xf32>, tensor<f32>) -> tensor<20xf32>
    %39 = stablehlo.reshape %38 : (tensor<20xf32>) -> tensor<20x1xf32>
    %40 = stablehlo.negate %39 : tensor<20x1xf32>
    %41 = stablehlo.broadcast_in_dim %23, dims = [0, 1] : (tensor<20x1xf32>) -> tensor<20x40xf32>
    %42 = stablehlo.divide %34, %41 : tensor<20x40xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %43 = stablehlo.reduce(%40 init: %cst_13) applies stablehlo.add across dimensions = [1] : (tensor<20x1xf32>, tensor<f32>) -> tensor<20xf32>
    %44 = stablehlo.broadcast_in_dim %43, dims = [0] : (tensor<20xf32>) -> tensor<20x40xf32>
    %45 = stablehlo.add %42, %44 : tensor<20x40xf32>
    %46 = stablehlo.multiply %45, %21 : tensor<20x40xf32>
    return %46 : tensor<20x40xf32>
  }
}
