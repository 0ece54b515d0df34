// tolerance: 0.0002
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// in: draw 3 -1 9.5367431640625e-07 2097153
// out: sums -3.67208897 -0.720967067 -3.21186151 -2.5856714 -3.87771488 -1.03081541 -1.66146551 -1.67498446 -4.63878836 -4.08773599 -3.08243469 -3.68886271 -5.9257209 -4.30562863 -1.8200095 -2.35160737
// out: sums 0.0134965991 -2.23565339 -1.89436957 -1.9570417 -0.571404584 2.45476745 -0.632748585 -1.48553752 -0.374173659 2.86586635 -0.218005593 1.47795755 -0.3340736 1.48750433 0.97367102 -1.12705369
// out: sums 177.206851 176.815492 255.909324 202.480964 170.443728 155.475587 179.145774 169.443013 163.42864 176.044512 152.321075 175.704123 205.687195 184.505423 137.320071 190.287679
// cost: 226 instructions, 4748836 ticks
module {
  func.func public @main(%arg0: tensor<1x20x6x16xf32>, %arg1: tensor<1x20x2x16xf32>, %arg2: tensor<1x20x2x16xf32>) -> (tensor<1x20x6x16xf32>, tensor<1x20x2x16xf32>, tensor<1x20x2x16xf32>) {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [0, 1, 2, 4] : (tensor<1x20x2x16xf32>) -> tensor<1x20x2x3x16xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x20x2x3x16xf32>) -> tensor<1x20x6x16xf32>
    %2 = stablehlo.broadcast_in_dim %arg2, dims = [0, 1, 2, 4] : (tensor<1x20x2x16xf32>) -> tensor<1x20x2x3x16xf32>
    %3 = stablehlo.reshape %2 : (tensor<1x20x2x3x16xf32>) -> tensor<1x20x6x16xf32>
    %4 = stablehlo.transpose %arg0, dims = [0, 2, 1, 3] : (tensor<1x20x6x16xf32>) -> tensor<1x6x20x16xf32>
    %5 = stablehlo.transpose %1, dims = [0, 2, 1, 3] : (tensor<1x20x6x16xf32>) -> tensor<1x6x20x16xf32>
    %6 = stablehlo.transpose %3, dims = [0, 2, 1, 3] : (tensor<1x20x6x16xf32>) -> tensor<1x6x20x16xf32>
    %7 = stablehlo.transpose %5, dims = [0, 1, 3, 2] : (tensor<1x6x20x16xf32>) -> tensor<1x6x16x20xf32>
    %8 = stablehlo.reshape %4 : (tensor<1x6x20x16xf32>) -> tensor<6x20x16xf32>
    %9 = stablehlo.reshape %7 : (tensor<1x6x16x20xf32>) -> tensor<6x16x20xf32>
    %10 = stablehlo.dot_general %8, %9, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<6x20x16xf32>, tensor<6x16x20xf32>) -> tensor<6x20x20xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [1, 2, 3] : (tensor<6x20x20xf32>) -> tensor<1x6x20x20xf32>
    %cst = stablehlo.constant dense<2.500000e-01> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x6x20x20xf32>
    %13 = stablehlo.multiply %11, %12 : tensor<1x6x20x20xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %14 = stablehlo.reduce(%13 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<1x6x20x20xf32>, tensor<f32>) -> tensor<1x6x20xf32>
    %15 = stablehlo.reshape %14 : (tensor<1x6x20xf32>) -> tensor<1x6x20x1xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1, 2, 3] : (tensor<1x6x20x1xf32>) -> tensor<1x6x20x20xf32>
    %17 = stablehlo.compare EQ, %13, %16, FLOAT : (tensor<1x6x20x20xf32>, tensor<1x6x20x20xf32>) -> tensor<1x6x20x20xi1>
    %18 = stablehlo.convert %17 : (tensor<1x6x20x20xi1>) -> tensor<1x6x20x20xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %19 = stablehlo.reduce(%18 init: %cst_1) applies stablehlo.add across dimensions = [3] : (tensor<1x6x20x20xf32>, tensor<f32>) -> tensor<1x6x20xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<1x6x20xf32>
    %21 = stablehlo.maximum %20, %14 : tensor<1x6x20xf32>
    %22 = stablehlo.compare EQ, %14, %21, FLOAT : (tensor<1x6x20xf32>, tensor<1x6x20xf32>) -> tensor<1x6x20xi1>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<1x6x20xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %24 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<1x6x20xf32>
    %25 = stablehlo.select %22, %23, %24 : tensor<1x6x20xi1>, tensor<1x6x20xf32>
    %cst_5 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %26 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<1x6x20xf32>
    %27 = stablehlo.compare EQ, %26, %21, FLOAT : (tensor<1x6x20xf32>, tensor<1x6x20xf32>) -> tensor<1x6x20xi1>
    %cst_6 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %28 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<1x6x20xf32>
    %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %29 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<1x6x20xf32>
    %30 = stablehlo.select %27, %28, %29 : tensor<1x6x20xi1>, tensor<1x6x20xf32>
    %31 = stablehlo.divide %25, %30 : tensor<1x6x20xf32>
    %32 = stablehlo.broadcast_in_dim %21, dims = [0, 1, 2] : (tensor<1x6x20xf32>) -> tensor<1x6x20x1xf32>
    %33 = stablehlo.broadcast_in_dim %32, dims = [0, 1, 2, 3] : (tensor<1x6x20x1xf32>) -> tensor<1x6x20x20xf32>
    %34 = stablehlo.subtract %13, %33 : tensor<1x6x20x20xf32>
    %35 = stablehlo.exponential %34 : tensor<1x6x20x20xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %36 = stablehlo.reduce(%35 init: %cst_8) applies stablehlo.add across dimensions = [3] : (tensor<1x6x20x20xf32>, tensor<f32>) -> tensor<1x6x20xf32>
    %37 = stablehlo.broadcast_in_dim %36, dims = [0, 1, 2] : (tensor<1x6x20xf32>) -> tensor<1x6x20x1xf32>
    %38 = stablehlo.broadcast_in_dim %37, dims = [0, 1, 2, 3] : (tensor<1x6x20x1xf32>) -> tensor<1x6x20x20xf32>
    %39 = stablehlo.divide %35, %38 : tensor<1x6x20x20xf32>
    %40 = stablehlo.multiply %37, %37 : tensor<1x6x20x1xf32>
    %cst_9 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %41 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<1x6x20x1xf32>
    %42 = stablehlo.divide %41, %40 : tensor<1x6x20x1xf32>
    %43 = stablehlo.reshape %39 : (tensor<1x6x20x20xf32>) -> tensor<6x20x20xf32>
    %44 = stablehlo.reshape %6 : (tensor<1x6x20x16xf32>) -> tensor<6x20x16xf32>
    %45 = stablehlo.dot_general %43, %44, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<6x20x20xf32>, tensor<6x20x16xf32>) -> tensor<6x20x16xf32>
    %46 = stablehlo.broadcast_in_dim %45, dims = [1, 2, 3] : (tensor<6x20x16xf32>) -> tensor<1x6x20x16xf32>
    %47 = stablehlo.transpose %46, dims = [0, 2, 1, 3] : (tensor<1x6x20x16xf32>) -> tensor<1x20x6x16xf32>
    %48 = stablehlo.sine %47 : tensor<1x20x6x16xf32>
    %49 = stablehlo.cosine %47 : tensor<1x20x6x16xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %50 = stablehlo.reduce(%48 init: %cst_10) applies stablehlo.add across dimensions = [0, 1, 2, 3] : (tensor<1x20x6x16xf32>, tensor<f32>) -> tensor<f32>
    %cst_11 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %51 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<1x20x6x16xf32>
    %52 = stablehlo.multiply %51, %49 : tensor<1x20x6x16xf32>
    %53 = stablehlo.transpose %52, dims = [0, 2, 1, 3] : (tensor<1x20x6x16xf32>) -> tensor<1x6x20x16xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %54 = stablehlo.reduce(%53 init: %cst_12) applies stablehlo.add across dimensions = [0] : (tensor<1x6x20x16xf32>, tensor<f32>) -> tensor<6x20x16xf32>
    %55 = stablehlo.dot_general %54, %43, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<6x20x16xf32>, tensor<6x20x20xf32>) -> tensor<6x16x20xf32>
    %56 = stablehlo.transpose %55, dims = [0, 2, 1] : (tensor<6x16x20xf32>) -> tensor<6x20x16xf32>
    %57 = stablehlo.dot_general %54, %44, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<6x20x16xf32>, tensor<6x20x16xf32>) -> tensor<6x20x20xf32>
    %58 = stablehlo.broadcast_in_dim %56, dims = [1, 2, 3] : (tensor<6x20x16xf32>) -> tensor<1x6x20x16xf32>
    %59 = stablehlo.broadcast_in_dim %57, dims = [1, 2, 3] : (tensor<6x20x20xf32>) -> tensor<1x6x20x20xf32>
    %60 = stablehlo.broadcast_in_dim %42, dims = [0, 1, 2, 3] : (tensor<1x6x20x1xf32>) -> tensor<1x6x20x20xf32>
    %61 = stablehlo.multiply %59, %60 : tensor<1x6x20x20xf32>
    %62 = stablehlo.multiply %61, %35 : tensor<1x6x20x20xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %63 = stablehlo.reduce(%62 init: %cst_13) applies stablehlo.add across dimensions = [3] : (tensor<1x6x20x20xf32>, tensor<f32>) -> tensor<1x6x20xf32>
    %64 = stablehlo.reshape %63 : (tensor<1x6x20xf32>) -> tensor<1x6x20x1xf32>
    %65 = stablehlo.negate %64 : tensor<1x6x20x1xf32>
    %66 = stablehlo.broadcast_in_dim %37, dims = [0, 1, 2, 3] : (tensor<1x6x20x1xf32>) -> tensor<1x6x20x20xf32>
    %67 = stablehlo.divide %59, %66 : tensor<1x6x20x20xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %68 = stablehlo.reduce(%65 init: %cst_14) applies stablehlo.add across dimensions = [0, 3] : (tensor<1x6x20x1xf32>, tensor<f32>) -> tensor<6x20xf32>
    %69 = stablehlo.broadcast_in_dim %68, dims = [1, 2] : (tensor<6x20xf32>) -> tensor<1x6x20xf32>
    %70 = stablehlo.broadcast_in_dim %69, dims = [0, 1, 2] : (tensor<1x6x20xf32>) -> tensor<1x6x20x20xf32>
    %71 = stablehlo.add %67, %70 : tensor<1x6x20x20xf32>
    %72 = stablehlo.multiply %71, %35 : tensor<1x6x20x20xf32>
    %cst_15 = stablehlo.constant dense<2.500000e-01> : tensor<f32>
    %73 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<1x6x20x20xf32>
    %74 = stablehlo.multiply %72, %73 : tensor<1x6x20x20xf32>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %75 = stablehlo.reduce(%74 init: %cst_16) applies stablehlo.add across dimensions = [0] : (tensor<1x6x20x20xf32>, tensor<f32>) -> tensor<6x20x20xf32>
    %76 = stablehlo.dot_general %75, %8, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<6x20x20xf32>, tensor<6x20x16xf32>) -> tensor<6x20x16xf32>
    %77 = stablehlo.transpose %76, dims = [0, 2, 1] : (tensor<6x20x16xf32>) -> tensor<6x16x20xf32>
    %78 = stablehlo.dot_general %75, %9, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<6x20x20xf32>, tensor<6x16x20xf32>) -> tensor<6x20x16xf32>
    %79 = stablehlo.broadcast_in_dim %77, dims = [1, 2, 3] : (tensor<6x16x20xf32>) -> tensor<1x6x16x20xf32>
    %80 = stablehlo.broadcast_in_dim %78, dims = [1, 2, 3] : (tensor<6x20x16xf32>) -> tensor<1x6x20x16xf32>
    %81 = stablehlo.transpose %79, dims = [0, 1, 3, 2] : (tensor<1x6x16x20xf32>) -> tensor<1x6x20x16xf32>
    %82 = stablehlo.transpose %58, dims = [0, 2, 1, 3] : (tensor<1x6x20x16xf32>) -> tensor<1x20x6x16xf32>
    %83 = stablehlo.transpose %81, dims = [0, 2, 1, 3] : (tensor<1x6x20x16xf32>) -> tensor<1x20x6x16xf32>
    %84 = stablehlo.transpose %80, dims = [0, 2, 1, 3] : (tensor<1x6x20x16xf32>) -> tensor<1x20x6x16xf32>
    %85 = stablehlo.reshape %82 : (tensor<1x20x6x16xf32>) -> tensor<1x20x2x3x16xf32>
    %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %86 = stablehlo.reduce(%85 init: %cst_17) applies stablehlo.add across dimensions = [0, 3] : (tensor<1x20x2x3x16xf32>, tensor<f32>) -> tensor<20x2x16xf32>
    %87 = stablehlo.broadcast_in_dim %86, dims = [1, 2, 3] : (tensor<20x2x16xf32>) -> tensor<1x20x2x16xf32>
    %88 = stablehlo.reshape %83 : (tensor<1x20x6x16xf32>) -> tensor<1x20x2x3x16xf32>
    %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %89 = stablehlo.reduce(%88 init: %cst_18) applies stablehlo.add across dimensions = [0, 3] : (tensor<1x20x2x3x16xf32>, tensor<f32>) -> tensor<20x2x16xf32>
    %90 = stablehlo.broadcast_in_dim %89, dims = [1, 2, 3] : (tensor<20x2x16xf32>) -> tensor<1x20x2x16xf32>
    return %84, %90, %87 : tensor<1x20x6x16xf32>, tensor<1x20x2x16xf32>, tensor<1x20x2x16xf32>
  }
}
