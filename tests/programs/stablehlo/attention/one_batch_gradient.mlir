// tolerance: 0.0002
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// in: draw 3 -1 9.5367431640625e-07 2097153
// out: sums -2.23244084 -2.93267095 -1.16491707 -3.03546352 -2.33022848 0.278303671 -0.106943306 -3.20596368 -0.0534463818 -1.02566022 -2.60414299 -1.07628782 -2.65438375 -1.88215979 -4.35047605 -2.97440061
// out: sums -2.33712967 0.0625732715 2.04334205 1.11631332 1.96444447 0.895463487 -0.775348462 0.990965427 0.441147058 0.619932143 -2.98086815 -0.753027765 -0.933684872 -2.40905173 0.129357498 0.381559337
// out: sums 191.457896 195.84655 192.850095 179.542258 189.201117 183.601503 138.791655 165.036664 165.660952 154.409661 183.887461 210.123792 180.203029 171.188636 175.944789 178.420758
// cost: 276 instructions, 7328919 ticks
module {
  func.func public @main(%arg0: tensor<2x20x3x16xf32>, %arg1: tensor<2x20x3x16xf32>, %arg2: tensor<2x20x3x16xf32>) -> (tensor<2x20x3x16xf32>, tensor<2x20x3x16xf32>, tensor<2x20x3x16xf32>) {
    %0 = stablehlo.transpose %arg0, dims = [0, 2, 1, 3] : (tensor<2x20x3x16xf32>) -> tensor<2x3x20x16xf32>
    %1 = stablehlo.reshape %0 : (tensor<2x3x20x16xf32>) -> tensor<6x20x16xf32>
    %2 = stablehlo.transpose %arg1, dims = [0, 2, 1, 3] : (tensor<2x20x3x16xf32>) -> tensor<2x3x20x16xf32>
    %3 = stablehlo.reshape %2 : (tensor<2x3x20x16xf32>) -> tensor<6x20x16xf32>
    %4 = stablehlo.transpose %arg2, dims = [0, 2, 1, 3] : (tensor<2x20x3x16xf32>) -> tensor<2x3x20x16xf32>
    %5 = stablehlo.reshape %4 : (tensor<2x3x20x16xf32>) -> tensor<6x20x16xf32>
    %6 = stablehlo.transpose %3, dims = [0, 2, 1] : (tensor<6x20x16xf32>) -> tensor<6x16x20xf32>
    %7 = stablehlo.dot_general %1, %6, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<6x20x16xf32>, tensor<6x16x20xf32>) -> tensor<6x20x20xf32>
    %cst = stablehlo.constant dense<2.500000e-01> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<6x20x20xf32>
    %9 = stablehlo.multiply %7, %8 : tensor<6x20x20xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %10 = stablehlo.reduce(%9 init: %cst_0) applies stablehlo.maximum across dimensions = [2] : (tensor<6x20x20xf32>, tensor<f32>) -> tensor<6x20xf32>
    %11 = stablehlo.reshape %10 : (tensor<6x20xf32>) -> tensor<6x20x1xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2] : (tensor<6x20x1xf32>) -> tensor<6x20x20xf32>
    %13 = stablehlo.compare EQ, %9, %12, FLOAT : (tensor<6x20x20xf32>, tensor<6x20x20xf32>) -> tensor<6x20x20xi1>
    %14 = stablehlo.convert %13 : (tensor<6x20x20xi1>) -> tensor<6x20x20xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.reduce(%14 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<6x20x20xf32>, tensor<f32>) -> tensor<6x20xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<6x20xf32>
    %17 = stablehlo.maximum %16, %10 : tensor<6x20xf32>
    %18 = stablehlo.compare EQ, %10, %17, FLOAT : (tensor<6x20xf32>, tensor<6x20xf32>) -> tensor<6x20xi1>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<6x20xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<6x20xf32>
    %21 = stablehlo.select %18, %19, %20 : tensor<6x20xi1>, tensor<6x20xf32>
    %cst_5 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<6x20xf32>
    %23 = stablehlo.compare EQ, %22, %17, FLOAT : (tensor<6x20xf32>, tensor<6x20xf32>) -> tensor<6x20xi1>
    %cst_6 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %24 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<6x20xf32>
    %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %25 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<6x20xf32>
    %26 = stablehlo.select %23, %24, %25 : tensor<6x20xi1>, tensor<6x20xf32>
    %27 = stablehlo.divide %21, %26 : tensor<6x20xf32>
    %28 = stablehlo.broadcast_in_dim %17, dims = [0, 1] : (tensor<6x20xf32>) -> tensor<6x20x1xf32>
    %29 = stablehlo.broadcast_in_dim %28, dims = [0, 1, 2] : (tensor<6x20x1xf32>) -> tensor<6x20x20xf32>
    %30 = stablehlo.subtract %9, %29 : tensor<6x20x20xf32>
    %31 = stablehlo.exponential %30 : tensor<6x20x20xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %32 = stablehlo.reduce(%31 init: %cst_8) applies stablehlo.add across dimensions = [2] : (tensor<6x20x20xf32>, tensor<f32>) -> tensor<6x20xf32>
    %33 = stablehlo.broadcast_in_dim %32, dims = [0, 1] : (tensor<6x20xf32>) -> tensor<6x20x1xf32>
    %34 = stablehlo.broadcast_in_dim %33, dims = [0, 1, 2] : (tensor<6x20x1xf32>) -> tensor<6x20x20xf32>
    %35 = stablehlo.divide %31, %34 : tensor<6x20x20xf32>
    %36 = stablehlo.multiply %33, %33 : tensor<6x20x1xf32>
    %cst_9 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %37 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<6x20x1xf32>
    %38 = stablehlo.divide %37, %36 : tensor<6x20x1xf32>
    %39 = stablehlo.dot_general %35, %5, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<6x20x20xf32>, tensor<6x20x16xf32>) -> tensor<6x20x16xf32>
    %40 = stablehlo.reshape %39 : (tensor<6x20x16xf32>) -> tensor<2x3x20x16xf32>
    %41 = stablehlo.transpose %40, dims = [0, 2, 1, 3] : (tensor<2x3x20x16xf32>) -> tensor<2x20x3x16xf32>
    %42 = stablehlo.sine %41 : tensor<2x20x3x16xf32>
    %43 = stablehlo.cosine %41 : tensor<2x20x3x16xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %44 = stablehlo.reduce(%42 init: %cst_10) applies stablehlo.add across dimensions = [0, 1, 2, 3] : (tensor<2x20x3x16xf32>, tensor<f32>) -> tensor<f32>
    %cst_11 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %45 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<2x20x3x16xf32>
    %46 = stablehlo.multiply %45, %43 : tensor<2x20x3x16xf32>
    %47 = stablehlo.transpose %46, dims = [0, 2, 1, 3] : (tensor<2x20x3x16xf32>) -> tensor<2x3x20x16xf32>
    %48 = stablehlo.reshape %47 : (tensor<2x3x20x16xf32>) -> tensor<6x20x16xf32>
    %49 = stablehlo.dot_general %48, %35, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<6x20x16xf32>, tensor<6x20x20xf32>) -> tensor<6x16x20xf32>
    %50 = stablehlo.transpose %49, dims = [0, 2, 1] : (tensor<6x16x20xf32>) -> tensor<6x20x16xf32>
    %51 = stablehlo.dot_general %48, %5, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<6x20x16xf32>, tensor<6x20x16xf32>) -> tensor<6x20x20xf32>
    %52 = stablehlo.broadcast_in_dim %38, dims = [0, 1, 2] : (tensor<6x20x1xf32>) -> tensor<6x20x20xf32>
    %53 = stablehlo.multiply %51, %52 : tensor<6x20x20xf32>
    %54 = stablehlo.multiply %53, %31 : tensor<6x20x20xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %55 = stablehlo.reduce(%54 init: %cst_12) applies stablehlo.add across dimensions = [2] : (tensor<6x20x20xf32>, tensor<f32>) -> tensor<6x20xf32>
    %56 = stablehlo.reshape %55 : (tensor<6x20xf32>) -> tensor<6x20x1xf32>
    %57 = stablehlo.negate %56 : tensor<6x20x1xf32>
    %58 = stablehlo.broadcast_in_dim %33, dims = [0, 1, 2] : (tensor<6x20x1xf32>) -> tensor<6x20x20xf32>
    %59 = stablehlo.divide %51, %58 : tensor<6x20x20xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %60 = stablehlo.reduce(%57 init: %cst_13) applies stablehlo.add across dimensions = [2] : (tensor<6x20x1xf32>, tensor<f32>) -> tensor<6x20xf32>
    %61 = stablehlo.broadcast_in_dim %60, dims = [0, 1] : (tensor<6x20xf32>) -> tensor<6x20x20xf32>
    %62 = stablehlo.add %59, %61 : tensor<6x20x20xf32>
    %63 = stablehlo.multiply %62, %31 : tensor<6x20x20xf32>
    %cst_14 = stablehlo.constant dense<2.500000e-01> : tensor<f32>
    %64 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<6x20x20xf32>
    %65 = stablehlo.multiply %63, %64 : tensor<6x20x20xf32>
    %66 = stablehlo.dot_general %65, %1, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<6x20x20xf32>, tensor<6x20x16xf32>) -> tensor<6x20x16xf32>
    %67 = stablehlo.transpose %66, dims = [0, 2, 1] : (tensor<6x20x16xf32>) -> tensor<6x16x20xf32>
    %68 = stablehlo.dot_general %65, %6, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<6x20x20xf32>, tensor<6x16x20xf32>) -> tensor<6x20x16xf32>
    %69 = stablehlo.transpose %67, dims = [0, 2, 1] : (tensor<6x16x20xf32>) -> tensor<6x20x16xf32>
    %70 = stablehlo.reshape %50 : (tensor<6x20x16xf32>) -> tensor<2x3x20x16xf32>
    %71 = stablehlo.transpose %70, dims = [0, 2, 1, 3] : (tensor<2x3x20x16xf32>) -> tensor<2x20x3x16xf32>
    %72 = stablehlo.reshape %69 : (tensor<6x20x16xf32>) -> tensor<2x3x20x16xf32>
    %73 = stablehlo.transpose %72, dims = [0, 2, 1, 3] : (tensor<2x3x20x16xf32>) -> tensor<2x20x3x16xf32>
    %74 = stablehlo.reshape %68 : (tensor<6x20x16xf32>) -> tensor<2x3x20x16xf32>
    %75 = stablehlo.transpose %74, dims = [0, 2, 1, 3] : (tensor<2x3x20x16xf32>) -> tensor<2x20x3x16xf32>
    return %75, %73, %71 : tensor<2x20x3x16xf32>, tensor<2x20x3x16xf32>, tensor<2x20x3x16xf32>
  }
}
